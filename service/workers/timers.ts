import { fireTimers } from '../journal/fire-timers';
import type { Journal } from '../journal/journal';
import { TIMERS_SET } from '../journal/topics';
import { loop } from './loop';
import type { WorkerLog } from './worker-log';

/** Fires the journal's timers until the abort; what fell due while it was down, at once. */
export async function runTimers(
	journal: Journal,
	now: () => number,
	log: WorkerLog,
	signal: AbortSignal,
): Promise<void> {
	await loop({
		name: 'timers',
		work: async () => await fireTimers(journal),
		signals: journal.signals,
		topic: TIMERS_SET,
		now,
		log,
		signal,
	});
}
