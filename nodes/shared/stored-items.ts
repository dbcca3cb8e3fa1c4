import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/** An output item as the journal keeps it. */
export type StoredItem = Pick<INodeExecutionData, 'json' | 'binary'>;

const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function toItem(value: unknown): StoredItem {
	if (isObject(value) && isObject(value.json)) return value as unknown as StoredItem;
	// n8n takes a truthy `error` at the top of an item for a failure.
	if (isObject(value) && !value.error) return { json: value };
	return { json: value === undefined || value === null ? {} : { result: value as IDataObject } };
}

/** Keeps of an output item what belongs to the result. */
export const storedItem = ({ json, binary }: INodeExecutionData): StoredItem =>
	binary ? { json, binary } : { json };

/**
 * Reads a stored result as output items. A step's own result is a list of items; a person who
 * resolves a step as completed may give any JSON. A result without items becomes one empty item, so
 * that the workflow goes on after the effect.
 */
export function toItems(result: unknown): StoredItem[] {
	if (!Array.isArray(result)) return [toItem(result)];
	return result.length > 0 ? result.map(toItem) : [{ json: {} }];
}
