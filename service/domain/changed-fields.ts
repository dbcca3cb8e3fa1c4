import { canonicalJson, pointerSegment } from './canonical-json';

const MAX_POINTERS = 100;

/**
 * Which fields differ between two JSON values, as RFC 6901 pointers, at most 100.
 * Arrays of different length differ as a whole; `''` means that the whole value differs.
 */
export function changedFields(before: unknown, after: unknown): string[] {
	return differences(before, after, '').slice(0, MAX_POINTERS);
}

function differences(before: unknown, after: unknown, pointer: string): string[] {
	if (isObject(before) && isObject(after)) {
		const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
		return names.flatMap((name) =>
			differences(before[name], after[name], `${pointer}/${pointerSegment(name)}`),
		);
	}
	if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
		return before.flatMap((item, index) => differences(item, after[index], `${pointer}/${index}`));
	const same =
		canonicalJson(before) === canonicalJson(after) &&
		(before === undefined) === (after === undefined);
	return same ? [] : [pointer];
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
