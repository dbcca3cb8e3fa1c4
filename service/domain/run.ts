/** The rules of a run as a whole: which states follow one another. Pure. */
import type { RunState } from '../contract/runs';

/**
 * Completed and cancelled are final. A run that failed or was given up may be taken up again, and
 * may also turn out to have completed after all: the execution that was thought lost ends it, or a
 * retry that only replays. Giving up is a person's or supervisor's word, which a mere failure does
 * not undo.
 */
const FOLLOWS: Record<RunState, readonly RunState[]> = {
	active: ['completed', 'failed', 'cancelled', 'dead'],
	failed: ['active', 'completed', 'cancelled', 'dead'],
	dead: ['active', 'completed', 'cancelled'],
	completed: [],
	cancelled: [],
};

/** The same state again is no move: it is a repeat, and harmless. */
export function runMayBecome(from: RunState, to: RunState): boolean {
	return FOLLOWS[from].includes(to);
}

/**
 * What a run in this state says to somebody who wants to act in it: a new attempt, a new gate.
 * - `reopen`: whoever acts in a failed run has taken it up again; nobody has to be asked first.
 * - `refuse`: completed is final, and a run that was given up waits for a person.
 */
export function judgeActing(state: RunState): 'act' | 'reopen' | 'refuse' {
	if (state === 'active') return 'act';
	return state === 'failed' ? 'reopen' : 'refuse';
}
