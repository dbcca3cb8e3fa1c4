/** When people are reminded of an open gate. */
import type { Unhashable } from './canonical-json';
import { durationMs } from './duration';

/** From when to when a gate is open for those who may decide it now; milliseconds since the epoch. */
export interface OpenTime {
	readonly from: number;
	readonly until: number | undefined;
}

const SHARE = /^([1-9]\d?)%$/;
const AGAIN = /^R\/(P.+)$/;
/** People who are reminded more often than this stop reading. */
const SHORTEST_INTERVAL_MS = 60_000;

/** What is wrong with these reminders, with pointers into the list. */
export function refuseReminders(reminders: readonly string[], hasDeadline: boolean): Unhashable[] {
	return reminders.flatMap((reminder, index) => {
		const detail = refusal(reminder, hasDeadline);
		return detail === undefined ? [] : [{ pointer: `/${index}`, detail }];
	});
}

/**
 * When the next reminder is due, after `now`. Those that were missed while nothing ran are not made
 * up for.
 * @returns milliseconds since the epoch, or undefined when there is none any more
 */
export function nextReminder(
	reminders: readonly string[],
	{ from, until }: OpenTime,
	now: number,
): number | undefined {
	const instants = reminders
		.map((reminder) => instantOf(reminder, { from, until }, now))
		.filter((at): at is number => at !== undefined && at > now && at > from);
	return instants.length === 0 ? undefined : Math.min(...instants);
}

function instantOf(reminder: string, { from, until }: OpenTime, now: number): number | undefined {
	const again = AGAIN.exec(reminder)?.[1];
	if (again !== undefined) {
		const every = durationMs(again)!;
		return from + (Math.floor((now - from) / every) + 1) * every;
	}
	if (until === undefined) return undefined;
	const share = SHARE.exec(reminder)?.[1];
	if (share !== undefined) return Math.round(from + ((until - from) * Number(share)) / 100);
	return until - durationMs(reminder)!;
}

function refusal(reminder: string, hasDeadline: boolean): string | undefined {
	const again = AGAIN.exec(reminder)?.[1];
	if (again !== undefined) {
		const every = durationMs(again);
		if (every === undefined) return 'is no repetition such as R/P1D';
		return every < SHORTEST_INTERVAL_MS ? 'repeats more than once a minute' : undefined;
	}
	const known = SHARE.test(reminder) || (durationMs(reminder) ?? 0) > 0;
	if (!known) return 'is no reminder: write a share (50%), a time before (PT15M) or R/P1D';
	return hasDeadline ? undefined : 'needs a deadline; without one, write R/P1D for every day';
}
