import type { ClientBase } from 'pg';
import type { Job } from '../group-commit';
import { PostgresFailure } from './failures';
import { lockRuns } from './run-locks';
import { runJobs } from './run-jobs';
import { execute } from './statements';
import { Wave } from './wave';

export interface TransactionClock {
	/** The server's time as it is known without asking, milliseconds since the epoch. */
	now(): number;
	/** What the server says. */
	ask(client: ClientBase): Promise<number>;
}

/** By more than this the server's time may not differ from the one that a job was given. */
const TOLERANCE_MS = 50;

/**
 * Runs jobs in one transaction, as few ways to the server and back as there can be: a job that is
 * alone begins without knowing that its locks are had, since its statements come behind them, and
 * the commit comes right behind the last writes, which fail by themselves if they must not succeed.
 * @param assume whether a job that is alone may be given the time as it is known without asking
 * @returns their values in order
 * @throws what a job threw; PostgresFailure `conflict` also when the locks were so long in coming
 *   that the assumed time was wrong
 */
export async function runTransaction(
	client: ClientBase,
	jobs: readonly Job[],
	clock: TransactionClock,
	assume: boolean,
): Promise<unknown[]> {
	const alone = assume && jobs.length === 1;
	const assumed = clock.now();
	const begun = Promise.all([execute(client, 'BEGIN'), lockRuns(client, jobs), clock.ask(client)]);
	begun.catch(() => {});
	const [, locksOfJob, now] = alone ? [undefined, [[]], assumed] : await begun;
	const wave = new Wave(client);
	let committed: Promise<string> | undefined;
	let values: unknown[];
	try {
		values = await runJobs(jobs, locksOfJob, (job, after) => wave.queriesOf(job, now, after));
		const [, , asked] = await begun;
		if (alone && Math.abs(asked - assumed) > TOLERANCE_MS)
			throw new PostgresFailure('conflict', new Error('the time was assumed wrongly'));
		wave.flush();
		committed = execute(client, 'COMMIT').then(({ command }) => command);
		committed.catch(() => {});
		await wave.settled();
	} catch (error) {
		// Where there was no beginning, everything after it only says so.
		await begun;
		throw wave.failure ?? error;
	} finally {
		wave.end();
	}
	// A failed transaction answers a COMMIT with ROLLBACK, and with no error.
	if ((await committed) !== 'COMMIT')
		throw new Error('a statement failed and its error was swallowed');
	return values;
}
