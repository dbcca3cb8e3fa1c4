import type { ReopenRunRequest, Run } from '../contract/runs';
import { runMayBecome } from '../domain/run';
import { instant } from '../domain/instant';
import type { Queries } from '../store/database';
import { findRun, reopenRunRow, type RunRow } from '../store/runs';
import { appendAudit } from './append-audit';
import { describeRun } from './describe-run';
import { findRunOrProblem } from './find-run';
import { NAMESPACE, type Journal } from './journal';
import { JournalProblem, orThrow } from './problem';
import { runCancelled, runSettled } from './run-problem';
import { settleByDeadlines } from './settle-by-deadline';
import { signalPassedDeadlines } from './topics';

/**
 * Makes a run that failed or was given up active again, so that steps in it may be claimed. An
 * active one stays as it is.
 * @throws JournalProblem run_settled (completed is final), run_cancelled, run_erased, run_pruned,
 *   not_found
 */
export async function reopenRun(
	journal: Journal,
	runId: string,
	request: ReopenRunRequest,
): Promise<Run> {
	const answer = await journal.database.write([{ runId }], async (queries) => {
		const run = await findRunOrProblem(queries, runId);
		if (run instanceof JournalProblem) return run;
		await settleByDeadlines(queries, run);
		if (run.state === 'cancelled') return runCancelled(run);
		if (run.state !== 'active') {
			if (!runMayBecome(run.state, 'active')) return runSettled(run);
			await reopenInTransaction(queries, run, request);
		}
		return describeRun((await findRun(queries, NAMESPACE, runId))!);
	});
	signalPassedDeadlines(journal.signals, runId, answer);
	return orThrow(answer);
}

/** The same inside a transaction of the caller, of a run that may become active. */
export async function reopenInTransaction(
	queries: Queries,
	run: RunRow,
	{ by, reason }: ReopenRunRequest,
): Promise<void> {
	const before = run.state;
	await reopenRunRow(queries, run.id, JSON.stringify({ by, reason, at: instant(queries.now) }));
	run.state = 'active';
	await appendAudit(queries, run, 'run.reopened', undefined, { was: before });
}
