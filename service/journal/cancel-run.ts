import type { CancelRunRequest, Run } from '../contract/runs';
import { findUnhashable } from '../domain/canonical-json';
import { findRun } from '../store/runs';
import { cancelInTransaction } from './cancel-in-transaction';
import { describeRun } from './describe-run';
import { findOrBeginRun } from './enter-run';
import { NAMESPACE, type Journal } from './journal';
import { JournalProblem, orThrow } from './problem';
import { runSettled } from './run-problem';
import { settleByDeadlines } from './settle-by-deadline';
import { runFenced, signalSettledGates } from './topics';

/**
 * Fences a run: every later claim in it is refused, replays included; its open gates close. Also
 * before the first claim, so that a run can be stopped that has not begun. Again is harmless.
 * @throws JournalProblem run_settled (completed is final), run_erased, run_pruned, invalid_request
 */
export async function cancelRun(
	journal: Journal,
	runId: string,
	request: CancelRunRequest,
): Promise<Run> {
	const errors = findUnhashable({ runId });
	if (errors.length > 0) throw new JournalProblem('invalid_request', { errors });
	const answer = await journal.database.write([{ runId }], async (queries) => {
		const run = await findOrBeginRun(queries, runId);
		if (run instanceof JournalProblem) return run;
		if (run.state === 'completed') return runSettled(run);
		await settleByDeadlines(queries, run);
		await cancelInTransaction(queries, run, request);
		return describeRun((await findRun(queries, NAMESPACE, runId))!);
	});
	signalSettledGates(journal.signals);
	journal.signals.notify(runFenced(runId));
	return orThrow(answer);
}
