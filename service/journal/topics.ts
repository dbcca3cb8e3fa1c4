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

/** To be called after every commit that may have made a gate final. */
export function signalSettledGates(signals: Signals): void {
	signals.notify(GATES_DECIDED);
	signals.notify(MESSAGES_OWED);
}
