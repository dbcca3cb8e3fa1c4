import type { Queries } from '../database';
import type { Job } from '../group-commit';

/**
 * Runs the jobs of one transaction: those about the same run one after the other, all others side
 * by side, so that their statements share the way to the server.
 * @param locksOfJob the locks of each job, as lockRuns returns them
 * @param queriesOf called when a job begins, with the jobs about the same run that came before it
 * @returns their values in order
 * @throws the first error, after all have ended
 */
export async function runJobs(
	jobs: readonly Job[],
	locksOfJob: ReadonlyArray<readonly string[]>,
	queriesOf: (job: number, after: readonly number[]) => Queries,
): Promise<unknown[]> {
	const lastOfLock = new Map<string, { job: number; done: Promise<unknown> }>();
	let failed = false;
	let failure: unknown;
	const running = jobs.map(async (job, index) => {
		const locks = locksOfJob[index]!;
		const before = locks.flatMap((lock) => lastOfLock.get(lock) ?? []);
		const done = (async () => {
			await Promise.all(before.map((last) => last.done));
			// The transaction is lost: whatever else it does is undone.
			if (failed) return undefined;
			try {
				return await job.work(
					queriesOf(
						index,
						before.map((last) => last.job),
					),
				);
			} catch (error) {
				// Those that follow only say that the transaction is aborted.
				if (!failed) failure = error;
				failed = true;
				return undefined;
			}
		})();
		for (const lock of locks) lastOfLock.set(lock, { job: index, done });
		return await done;
	});
	const values = await Promise.all(running);
	if (failed) throw failure;
	return values;
}
