import type { IExecuteFunctions } from 'n8n-workflow';

export type Pairs = ReadonlyArray<readonly [name: string, value: string]>;

interface RawPairs {
	parameters?: Array<{ name?: unknown; value?: unknown }>;
}

/** Reads a list of names and values from the panel; those without a name are left out. */
export const readPairs = (context: IExecuteFunctions, name: string, itemIndex: number): Pairs =>
	((context.getNodeParameter(name, itemIndex, {}) as RawPairs).parameters ?? [])
		.map((pair) => [String(pair.name ?? '').trim(), String(pair.value ?? '')] as const)
		.filter(([pairName]) => pairName !== '');

/** A name given twice becomes a list, as in `?tag=a&tag=b`. */
export function byName<T>(pairs: ReadonlyArray<readonly [string, T]>): Record<string, T | T[]> {
	const found = new Map<string, T[]>();
	for (const [name, value] of pairs) found.set(name, [...(found.get(name) ?? []), value]);
	return Object.fromEntries(
		[...found].map(([name, values]) => [name, values.length > 1 ? values : values[0]!]),
	);
}
