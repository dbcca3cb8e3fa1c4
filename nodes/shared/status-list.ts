/** HTTP statuses as ranges, both ends included. */
export type StatusList = ReadonlyArray<readonly [first: number, last: number]>;

const RANGE = /^([1-5]\d\d)(?:\s*-\s*([1-5]\d\d))?$/;

/**
 * Reads statuses as people write them: `409, 500-504`. Nothing is an empty list.
 * @returns undefined where it is anything else
 */
export function parseStatusList(text: string): StatusList | undefined {
	if (text.trim() === '') return [];
	const ranges: Array<readonly [number, number]> = [];
	for (const part of text.split(',')) {
		const [, first, last = first] = RANGE.exec(part.trim()) ?? [];
		if (first === undefined || Number(first) > Number(last)) return undefined;
		ranges.push([Number(first), Number(last)]);
	}
	return ranges;
}

export const hasStatus = (list: StatusList, status: number): boolean =>
	list.some(([first, last]) => first <= status && status <= last);

/** A status that is in both. */
export const sharedStatus = (one: StatusList, other: StatusList): number | undefined =>
	[...one, ...other]
		.map(([first]) => first)
		.find((status) => hasStatus(one, status) && hasStatus(other, status));
