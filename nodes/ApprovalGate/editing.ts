import type { IDataObject } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

interface FieldRow {
	name?: unknown;
	label?: unknown;
	type?: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'date' | 'email';
	choices?: unknown;
	minimum?: unknown;
	maximum?: unknown;
	required?: boolean;
}

/**
 * What approvers may edit, as the JSON Schema that the journal takes; undefined where nothing.
 * @param fields the list Editable Fields
 * @param schema the field Editable Fields (JSON Schema), which stands instead where it is filled in
 * @throws UserError naming the field that cannot be read
 */
export function editableOf(fields: unknown, schema: unknown): IDataObject | undefined {
	const given = schemaOf(schema);
	if (given) return given;
	const { field } = (fields ?? {}) as IDataObject;
	const rows = field === undefined ? [] : [field as unknown as FieldRow | FieldRow[]].flat();
	if (rows.length === 0) return undefined;
	const named = rows.map((row) => [textOf(row.name), row] as const);
	if (named.some(([name]) => name === '')) {
		throw new UserError('Editable Fields: a field has no name. Say which member may be edited.');
	}
	return {
		type: 'object',
		properties: Object.fromEntries(named.map(([name, row]) => [name, propertyOf(name, row)])),
		required: named.filter(([, row]) => row.required !== false).map(([name]) => name),
	};
}

function schemaOf(schema: unknown): IDataObject | undefined {
	const value: unknown = typeof schema === 'string' && schema.trim() === '' ? undefined : schema;
	if (value === undefined || value === null) return undefined;
	const parsed = typeof value === 'string' ? parse(value) : value;
	if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
		return parsed as IDataObject;
	}
	throw new UserError('Editable Fields (JSON Schema) is no JSON object: correct it.');
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function propertyOf(name: string, row: FieldRow): IDataObject {
	const label = textOf(row.label);
	return { ...(label !== '' && { title: label }), ...typeOf(name, row) };
}

function typeOf(name: string, row: FieldRow): IDataObject {
	switch (row.type) {
		case 'number':
		case 'integer': {
			const limits = { minimum: limitOf(name, row.minimum), maximum: limitOf(name, row.maximum) };
			const given = Object.entries(limits).filter(([, limit]) => limit !== undefined);
			return { type: row.type, ...Object.fromEntries(given) };
		}
		case 'boolean':
			return { type: 'boolean' };
		case 'choice': {
			const choices = textOf(row.choices).split(',').map(textOf).filter(Boolean);
			if (choices.length > 0) return { enum: choices };
			throw new UserError(`Editable Fields: "${name}" is a choice without choices.`);
		}
		case 'date':
		case 'email':
			return { type: 'string', format: row.type };
		default:
			return { type: 'string', maxLength: 10_000, ...(row.required !== false && { minLength: 1 }) };
	}
}

function limitOf(name: string, value: unknown): number | undefined {
	const text = textOf(value);
	if (text === '') return undefined;
	if (Number.isFinite(Number(text))) return Number(text);
	throw new UserError(`Editable Fields: a limit of "${name}" is no number: "${text}".`);
}

function textOf(value: unknown): string {
	return String(value ?? '').trim();
}
