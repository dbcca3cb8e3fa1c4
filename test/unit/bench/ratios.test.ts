import { ratiosOfRuns } from '../../bench/parts/ratios-of-runs.mjs';
import { verdict } from '../../bench/report.mjs';
import { interleave } from '../../bench/rounds.mjs';

const row = (what: string, callers: number, p50Ms: number, perSecond: number) => ({
	what,
	callers,
	p50Ms,
	perSecond,
});

test('times are compared the other way round than rates', () => {
	const rows = [
		row('journal, PostgreSQL', 1, 10, 1_000),
		row('DBOS', 1, 25, 400),
		row('journal, PostgreSQL', 64, 100, 6_000),
		row('DBOS', 64, 400, 1_500),
	];
	expect(ratiosOfRuns(rows).map(({ value, atLeast }) => ({ value, atLeast }))).toEqual([
		{ value: 2.5, atLeast: 3 },
		{ value: 4, atLeast: 4 },
	]);
});

test('a peer that was not measured has no ratio', () => {
	expect(ratiosOfRuns([row('journal, SQLite', 1, 10, 1_000)])).toEqual([]);
});

test.each([
	[{ value: 1.3, atMost: 1.3 }, 'met'],
	[{ value: 2.6, atMost: 1.3 }, 'missed: 2.00 × the target'],
	[{ value: 6, atLeast: 6 }, 'met'],
	[{ value: 3, atLeast: 6 }, 'missed: 50 % of the target'],
])('%j is %s', (ratio, expected) => {
	expect(verdict(ratio)).toBe(expected);
});

test('rounds take turns, and their medians are what counts', async () => {
	const order: string[] = [];
	const contender = (name: string, values: number[]) => ({
		name,
		measure: async () => {
			order.push(name);
			const value = values.shift()!;
			return { p50Ms: value, p99Ms: value, maxMs: value, perSecond: value };
		},
	});
	const figures = await interleave(
		[contender('a', [1, 100, 2]), contender('b', [5, 6, 7])],
		3,
		() => {},
	);
	expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
	expect(figures.get('a')).toEqual({ p50Ms: 2, p99Ms: 2, maxMs: 100, perSecond: 2 });
	expect(figures.get('b')).toEqual({ p50Ms: 6, p99Ms: 6, maxMs: 7, perSecond: 6 });
});
