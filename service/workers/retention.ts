import { setTimeout as pause } from 'node:timers/promises';
import type { Journal } from '../journal/journal';
import { pruneRuns, type Retention, type RetentionCounts } from '../journal/prune-runs';
import { loop } from './loop';
import type { WorkerLog } from './worker-log';

const EVERY_MS = 3_600_000;
/** Between two removals: requests come first, and the disk has other things to do. */
const PAUSE_MS = 10;

/**
 * Removes what is older than the retention time until the abort: at once, which also finishes what
 * a crash cut short, and every hour.
 * @param counts is counted up
 */
export async function runRetention(
	journal: Journal,
	retention: Retention,
	counts: RetentionCounts,
	now: () => number,
	log: WorkerLog,
	signal: AbortSignal,
): Promise<void> {
	const goOn = async () => {
		await pause(PAUSE_MS, undefined, { signal }).catch(() => {});
		return !signal.aborted;
	};
	let dueAt = -Infinity;
	await loop({
		name: 'retention',
		work: async () => {
			const waitMs = dueAt - now();
			// More than a whole hour: the clock was set back.
			if (waitMs > 0 && waitMs <= EVERY_MS) return dueAt;
			const before = { ...counts };
			await pruneRuns(journal, retention, counts, goOn);
			const pruned = counts.runsPruned - before.runsPruned;
			if (pruned > 0) log.info({ pruned }, 'runs older than the retention time were removed');
			dueAt = now() + EVERY_MS;
			return dueAt;
		},
		signals: journal.signals,
		// Nothing is due before its hour, so nobody signals.
		topic: 'retention',
		now,
		log,
		signal,
	});
}
