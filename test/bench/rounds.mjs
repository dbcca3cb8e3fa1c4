export const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/**
 * Measures all contenders in turn, round after round, so that a busy moment of the machine meets each
 * of them: first, second, …, first, second, …
 * @param contenders `{ name, measure() }`, `measure` giving what measure.mjs gives
 * @returns by name, the median of the rounds of each figure (of `maxMs` the largest)
 */
export async function interleave(contenders, rounds, tell) {
	const measured = new Map(contenders.map(({ name }) => [name, []]));
	for (let round = 1; round <= rounds; round++)
		for (const { name, measure } of contenders) {
			tell(`round ${round} of ${rounds}: ${name}`);
			measured.get(name).push(await measure());
		}
	const figures = (list) => ({
		p50Ms: median(list.map((one) => one.p50Ms)),
		p99Ms: median(list.map((one) => one.p99Ms)),
		maxMs: Math.max(...list.map((one) => one.maxMs)),
		perSecond: median(list.map((one) => one.perSecond)),
	});
	return new Map([...measured].map(([name, list]) => [name, figures(list)]));
}
