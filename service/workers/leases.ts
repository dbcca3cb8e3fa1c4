import { expireLeases } from '../journal/expire-leases';
import type { Journal } from '../journal/journal';
import { loop } from './loop';
import type { WorkerLog } from './worker-log';

/** Puts steps in doubt when their lease runs out, until the abort. */
export async function runLeases(
	journal: Journal,
	now: () => number,
	log: WorkerLog,
	signal: AbortSignal,
): Promise<void> {
	await loop({
		name: 'leases',
		work: async () => await expireLeases(journal),
		signals: journal.signals,
		// Claims do not signal: telling every new lease would cost more than looking now and then.
		topic: 'leases',
		now,
		log,
		signal,
	});
}
