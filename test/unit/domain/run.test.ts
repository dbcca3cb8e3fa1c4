import fc from 'fast-check';
import type { RunState } from '../../../service/contract/runs';
import { judgeActing, runMayBecome } from '../../../service/domain/run';

const STATES: RunState[] = ['active', 'completed', 'failed', 'cancelled', 'dead'];
const state = fc.constantFrom(...STATES);

test.each<[RunState, RunState[]]>([
	['active', ['completed', 'failed', 'cancelled', 'dead']],
	['failed', ['active', 'completed', 'cancelled', 'dead']],
	['dead', ['active', 'completed', 'cancelled']],
	['completed', []],
	['cancelled', []],
])('%s may become %j, and nothing else', (from, allowed) => {
	expect(STATES.filter((to) => runMayBecome(from, to)).sort()).toEqual(allowed.sort());
});

test('whatever is asked of a run in whatever order, completed and cancelled stay', () => {
	fc.assert(
		fc.property(fc.array(state, { maxLength: 50 }), (asked) => {
			let now: RunState = 'active';
			let final: RunState | undefined;
			for (const to of asked) {
				if (runMayBecome(now, to)) now = to;
				if (now === 'completed' || now === 'cancelled') final ??= now;
				if (final !== undefined) expect(now).toBe(final);
			}
		}),
	);
});

test('something new begins only in an active run, or one that becomes active by it', () => {
	fc.assert(
		fc.property(state, (from) => {
			const verdict = judgeActing(from);
			if (verdict === 'act') expect(from).toBe('active');
			if (verdict === 'reopen') expect(runMayBecome(from, 'active')).toBe(true);
		}),
	);
	expect(STATES.map((from) => judgeActing(from))).toEqual([
		'act',
		'refuse',
		'reopen',
		'refuse',
		'refuse',
	]);
});
