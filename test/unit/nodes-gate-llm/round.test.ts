import { roundOf, type RoundContext } from '../../../nodes/shared/round';

/** A node in its run `runIndex`, whose first run sent out what `first` returns. */
const context = (runIndex: number, first: () => unknown[]) =>
	({
		getNode: () => ({ name: 'Gate' }),
		getWorkflowDataProxy: () => ({
			$runIndex: runIndex,
			$items: (node: string, output: number, run: number) => {
				expect([node, output, run]).toEqual(['Gate', 0, 0]);
				return first();
			},
		}),
	}) as unknown as RoundContext;

const placeholder = () => [{ json: { isArtificialRecoveredEventItem: true } }];
const interrupted = () => {
	throw new TypeError('no data');
};

it('is the run index of an execution that did not crash', () => {
	expect(roundOf(context(0, interrupted))).toBe(0);
	expect(roundOf(context(1, () => [{ json: { a: 1 } }]))).toBe(1);
	expect(roundOf(context(2, () => []))).toBe(2);
});

it('does not count the run that recovery made up for a finished node', () => {
	expect(roundOf(context(1, placeholder))).toBe(0);
	expect(roundOf(context(3, placeholder))).toBe(2);
});

it('does not count the run in which n8n died', () => {
	expect(roundOf(context(1, interrupted))).toBe(0);
});
