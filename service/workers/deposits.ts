import type { Journal } from '../journal/journal';
import { removeAbandonedDeposits } from '../journal/remove-abandoned-deposits';
import { loop } from './loop';
import type { WorkerLog } from './worker-log';

/** Removes large payloads that a crash left without anything that refers to them, until the abort. */
export async function runDeposits(
	journal: Journal,
	now: () => number,
	log: WorkerLog,
	signal: AbortSignal,
): Promise<void> {
	await loop({
		name: 'deposits',
		work: async () => await removeAbandonedDeposits(journal),
		signals: journal.signals,
		// Nobody signals: they are looked for now and then.
		topic: 'deposits',
		now,
		log,
		signal,
	});
}
