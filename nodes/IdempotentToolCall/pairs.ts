import type { IExecuteFunctions } from 'n8n-workflow';

export type Pairs = ReadonlyArray<readonly [name: string, value: string]>;

/** A list of names and values, as the panel gives it. */
export interface RawPairs {
	parameters?: Array<{ name?: unknown; value?: unknown }>;
}

/** Those without a name are left out. */
export const pairsOf = ({ parameters = [] }: RawPairs): Pairs =>
	parameters
		.map((pair) => [String(pair.name ?? '').trim(), String(pair.value ?? '')] as const)
		.filter(([pairName]) => pairName !== '');

/** Reads a list of names and values from the panel. */
export const readPairs = (context: IExecuteFunctions, name: string, itemIndex: number): Pairs =>
	pairsOf(context.getNodeParameter(name, itemIndex, {}) as RawPairs);

/** A name given twice becomes a list, as in `?tag=a&tag=b`. */
export function byName<T>(pairs: ReadonlyArray<readonly [string, T]>): Record<string, T | T[]> {
	const found = new Map<string, T[]>();
	for (const [name, value] of pairs) found.set(name, [...(found.get(name) ?? []), value]);
	return Object.fromEntries(
		[...found].map(([name, values]) => [name, values.length > 1 ? values : values[0]!]),
	);
}
