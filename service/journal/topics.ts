import { sha256Hex } from '../domain/key';
import { JournalProblem } from './problem';
import type { Signals } from './signals';

/** The topics on `journal.signals`, without spaces. Each says that there is work; the work itself is in the store. */

/** A new timer: the next one may be due earlier than thought. */
export const TIMERS_SET = 'timers-set';
/** Gates became final: who waits is to be woken. */
export const GATES_DECIDED = 'gates-decided';
/** Messages are owed to channels. */
export const MESSAGES_OWED = 'messages-owed';

/** A step was settled: who waits for it may look. */
export function stepSettled(key: string): string {
	return `step:${key}`;
}

/** A run was cancelled or removed: who waits for a step in it may look. */
export function runFenced(runId: string): string {
	return `run:${sha256Hex(runId)}`;
}

/** To be called after every commit that may have made a gate final, or passed it on to others. */
export function signalSettledGates(signals: Signals): void {
	signals.notify(GATES_DECIDED);
	signals.notify(MESSAGES_OWED);
	signals.notify(TIMERS_SET);
}

/**
 * The same where a deadline may have cancelled the run, before what was asked for was looked at.
 * @param answer what the transaction gave
 */
export function signalPassedDeadlines(signals: Signals, runId: string, answer: unknown): void {
	signalSettledGates(signals);
	if (answer instanceof JournalProblem && answer.code === 'run_cancelled')
		signals.notify(runFenced(runId));
}
