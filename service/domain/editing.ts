/** Which members of a gate's input people may change before they approve, and what they made of them. */
import Schema from 'typebox/schema';
import type { Difference } from '../contract/gates';
import { canonicalJson, findUnhashable, pointerSegment, type Unhashable } from './canonical-json';

type Members = Record<string, unknown>;

/** One field of the form. */
export interface EditableField {
	/** The member of the input. */
	readonly name: string;
	readonly label: string;
	readonly help: string | undefined;
	readonly kind: 'text' | 'lines' | 'number' | 'integer' | 'boolean' | 'choice' | 'date' | 'email';
	/** What it is without an edit; undefined where the input has no such member. */
	readonly value: unknown;
	/** The values of a choice. */
	readonly choices: readonly (string | number)[];
	readonly required: boolean;
	readonly minimum: number | undefined;
	readonly maximum: number | undefined;
	readonly minLength: number | undefined;
	readonly maxLength: number | undefined;
}

export type Edits =
	| { readonly edits: Members; readonly difference: Difference[] }
	| { readonly errors: Unhashable[] };

const TYPES = ['string', 'number', 'integer', 'boolean'];
/** Longer texts are shown and edited in several lines. */
const ONE_LINE = 80;

/**
 * Why a form cannot be made of this schema: only an object whose properties are texts, numbers, yes
 * or no, or a choice of them.
 * @param editable a JSON Schema
 * @param input what is being approved
 */
export function refuseEditable(editable: unknown, input: unknown): Unhashable[] {
	if (!isMembers(input))
		return [{ pointer: '', detail: 'needs an input that is one object, not a list or a value' }];
	const schema = editable as Members;
	const { properties, type = 'object' } = schema;
	if (type !== 'object' || !isMembers(properties) || Object.keys(properties).length === 0)
		return [{ pointer: '/properties', detail: 'must name the members that may be edited' }];
	const pointer = (name: string) => `/properties/${pointerSegment(name)}`;
	const errors = Object.entries(properties).flatMap(([name, property]) =>
		isField(property)
			? []
			: [
					{
						pointer: pointer(name),
						detail: `must have one of the types ${TYPES.join(', ')}, or an enum of texts or numbers`,
					},
				],
	);
	if (errors.length > 0) return errors;
	if (canonicalJson(schema).includes('"$ref"'))
		return [{ pointer: '', detail: 'must not refer to other schemas' }];
	try {
		Schema.Check(schema, pick(input, Object.keys(properties)));
		return [];
	} catch {
		return [{ pointer: '', detail: 'is no JSON Schema that can be checked' }];
	}
}

/** The fields of the form, in the order of the schema's properties. */
export function editableFields(editable: unknown, input: unknown): EditableField[] {
	const { properties, required } = editable as { properties: Members; required?: unknown };
	const needed: unknown[] = Array.isArray(required) ? required : [];
	const members = input as Members;
	return Object.entries(properties).map(([name, property]) => {
		const field = property as Members;
		const value = Object.hasOwn(members, name) ? members[name] : undefined;
		return {
			name,
			label: typeof field['title'] === 'string' ? field['title'] : name,
			help: typeof field['description'] === 'string' ? field['description'] : undefined,
			kind: kindOf(field, value),
			value,
			choices: Array.isArray(field['enum']) ? (field['enum'] as (string | number)[]) : [],
			required: needed.includes(name),
			minimum: numberOf(field['minimum']),
			maximum: numberOf(field['maximum']),
			minLength: numberOf(field['minLength']),
			maxLength: numberOf(field['maxLength']),
		};
	});
}

/**
 * What a person's edits change. Members that they left as they were are no edits.
 * @param given an object of edited members
 * @returns only the changed members, or what is wrong, with pointers into `given`
 */
export function judgeEdits(editable: unknown, input: unknown, given: unknown): Edits {
	if (!isMembers(given)) return { errors: [{ pointer: '', detail: 'must be an object' }] };
	const { properties } = editable as { properties: Members };
	const errors = Object.keys(given)
		.filter((name) => !Object.hasOwn(properties, name))
		.map((name) => ({ pointer: `/${pointerSegment(name)}`, detail: 'may not be edited' }));
	errors.push(...findUnhashable(given));
	if (errors.length > 0) return { errors };
	const before = pick(input as Members, Object.keys(properties));
	const after = { ...before, ...given };
	const [valid, found] = Schema.Errors(editable as Members, after);
	if (!valid)
		return {
			errors: found
				.slice(0, 20)
				.map(({ instancePath, message }) => ({ pointer: instancePath, detail: message })),
		};
	const changed = Object.keys(given).filter((name) => !isSame(before[name], given[name]));
	return {
		edits: pick(given, changed),
		difference: changed.map((name) => ({
			pointer: `/${pointerSegment(name)}`,
			...(before[name] !== undefined && { before: before[name] }),
			after: given[name],
		})),
	};
}

function isField(property: unknown): boolean {
	if (!isMembers(property)) return false;
	const { type, enum: choices } = property;
	if (choices !== undefined)
		return (
			Array.isArray(choices) &&
			choices.length > 0 &&
			choices.every((choice) => ['string', 'number'].includes(typeof choice))
		);
	return typeof type === 'string' && TYPES.includes(type);
}

function kindOf(field: Members, value: unknown): EditableField['kind'] {
	if (Array.isArray(field['enum'])) return 'choice';
	const { type, format } = field;
	if (type !== 'string') return type as 'number' | 'integer' | 'boolean';
	if (format === 'date' || format === 'email') return format;
	const long = typeof value === 'string' && (value.length > ONE_LINE || value.includes('\n'));
	return long || (numberOf(field['maxLength']) ?? 0) > ONE_LINE ? 'lines' : 'text';
}

function isMembers(value: unknown): value is Members {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function pick(members: Members, names: readonly string[]): Members {
	return Object.fromEntries(
		names.filter((name) => Object.hasOwn(members, name)).map((name) => [name, members[name]]),
	);
}

function isSame(one: unknown, other: unknown): boolean {
	return one === undefined ? other === undefined : canonicalJson(one) === canonicalJson(other);
}

function numberOf(value: unknown): number | undefined {
	return typeof value === 'number' ? value : undefined;
}
