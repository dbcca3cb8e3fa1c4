import type { Run, SettleRunRequest } from '../contract/runs';
import { findUnhashable } from '../domain/canonical-json';
import { instant } from '../domain/instant';
import { runMayBecome } from '../domain/run';
import { sameJson } from '../domain/same-json';
import type { Queries } from '../store/database';
import { loadPayload, storePayload } from '../store/payloads';
import { findRun, settleRunRow, type RunRow } from '../store/runs';
import { appendAudit } from './append-audit';
import { cancelGatesOfRun } from './cancel-gates-of-run';
import { describeRun } from './describe-run';
import { findRunOrProblem } from './find-run';
import { NAMESPACE, type Journal } from './journal';
import { JournalProblem, orThrow } from './problem';
import { runCancelled, runSettled } from './run-problem';
import { settleByDeadlines } from './settle-by-deadline';
import { signalPassedDeadlines } from './topics';

/**
 * Says how a run ended. Completed is final: its steps are replayed and nothing new begins in it; its
 * open gates close, since no answer can have an effect any more. A failed run is taken up again by
 * the next attempt in it, a dead one only when it is reopened; their gates stay open. The same again
 * is harmless.
 * @throws JournalProblem run_settled, run_cancelled, result_conflict (completed with another
 *   result), invalid_request, not_found, run_erased, run_pruned
 */
export async function settleRun(
	journal: Journal,
	runId: string,
	request: SettleRunRequest,
): Promise<Run> {
	const errors = findUnhashable({ result: request.result });
	if (request.as !== 'completed' && request.result !== undefined)
		errors.push({ pointer: '/result', detail: 'belongs to "completed" only' });
	if (errors.length > 0) throw new JournalProblem('invalid_request', { errors });
	const answer = await journal.database.write([{ runId }], async (queries) => {
		const run = await findRunOrProblem(queries, runId);
		if (run instanceof JournalProblem) return run;
		await settleByDeadlines(queries, run);
		const refusal = await settleInTransaction(queries, run, request);
		return refusal ?? describeRun((await findRun(queries, NAMESPACE, runId))!);
	});
	signalPassedDeadlines(journal.signals, runId, answer);
	return orThrow(answer);
}

async function settleInTransaction(
	queries: Queries,
	run: RunRow,
	{ as, by, reason, result }: SettleRunRequest,
): Promise<JournalProblem | undefined> {
	if (run.state === as) {
		const stored = await loadPayload(queries, { json: run.result_json, ref: run.result_ref });
		return sameJson(stored, result) ? undefined : new JournalProblem('result_conflict');
	}
	if (run.state === 'cancelled') return runCancelled(run);
	if (!runMayBecome(run.state, as)) return runSettled(run);
	await settleRunRow(
		queries,
		run.id,
		as,
		JSON.stringify({ by, reason, at: instant(queries.now) }),
		await storePayload(queries, result),
	);
	await appendAudit(queries, run, `run.${as}`, undefined);
	if (as === 'completed') await cancelGatesOfRun(queries, run);
	return undefined;
}
