import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { withoutDurable } from '../shared/without-durable';

function parse(text: string): { value: unknown } | undefined {
	try {
		return { value: JSON.parse(text) as unknown };
	} catch {
		return undefined;
	}
}

/**
 * Reads a JSON field of the panel: an expression may give a value, a person types text. Members that
 * durable nodes added to their items are left out.
 */
export function readJson(
	context: Pick<IExecuteFunctions, 'getNode' | 'getNodeParameter'>,
	name: string,
	label: string,
	itemIndex: number,
): unknown {
	const raw: unknown = context.getNodeParameter(name, itemIndex, '');
	const parsed = typeof raw === 'string' ? parse(raw) : { value: raw };
	if (parsed?.value === undefined) {
		throw new NodeOperationError(context.getNode(), `"${label}" is not valid JSON: correct it.`, {
			itemIndex,
		});
	}
	return withoutDurable(parsed.value);
}

/** Reads a JSON field that must hold an object. */
export function readJsonObject(
	context: Pick<IExecuteFunctions, 'getNode' | 'getNodeParameter'>,
	name: string,
	label: string,
	itemIndex: number,
): Record<string, unknown> {
	const value = readJson(context, name, label, itemIndex);
	if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
		return value as Record<string, unknown>;
	}
	throw new NodeOperationError(
		context.getNode(),
		`"${label}" must be a JSON object, such as {"orderId": 17}: correct it.`,
		{ itemIndex },
	);
}
