import type { Queries } from '../database';
import type { Job } from '../group-commit';

/**
 * Runs the jobs of one transaction: those about the same run one after the other, all others side
 * by side, so that their statements share the way to the server.
 * @param locksOfJob the locks of each job, as lockRuns returns them
 * @returns their values in order
 * @throws the first error, after all have ended
 */
export async function runJobs(
	jobs: readonly Job[],
	locksOfJob: ReadonlyArray<readonly string[]>,
	queriesOf: (job: number) => Queries,
): Promise<unknown[]> {
	const lastOfLock = new Map<string, Promise<unknown>>();
	let failed = false;
	let failure: unknown;
	const running = jobs.map(async (job, index) => {
		const locks = locksOfJob[index]!;
		const before = locks.map((lock) => lastOfLock.get(lock));
		const done = (async () => {
			await Promise.all(before);
			// The transaction is lost: whatever else it does is undone.
			if (failed) return undefined;
			try {
				return await job.work(queriesOf(index));
			} catch (error) {
				// Those that follow only say that the transaction is aborted.
				if (!failed) failure = error;
				failed = true;
				return undefined;
			}
		})();
		for (const lock of locks) lastOfLock.set(lock, done);
		return await done;
	});
	const values = await Promise.all(running);
	if (failed) throw failure;
	return values;
}
