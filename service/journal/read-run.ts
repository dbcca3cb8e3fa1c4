import type { RunDetail } from '../contract/runs';
import { loadPayload } from '../store/payloads';
import { findRun } from '../store/runs';
import { listStepsOfRun } from '../store/step-lists';
import { describeRun } from './describe-run';
import { listGatesOfRun } from './list-gates';
import { NAMESPACE, type Journal } from './journal';
import { nextCursor, parseCursor, parseLimit } from './page';
import { JournalProblem, orThrow } from './problem';
import { describeStep } from './read-step';

/** As many as one page can have: a run that has no more steps is read at once. */
const DEFAULT_LIMIT = 500;

/**
 * A run with its steps in the order of their first claims, page by page, and on the first page its
 * first gates; all of them without payloads.
 * @throws JournalProblem not_found, invalid_request for a cursor that is none of ours
 */
export async function readRun(
	journal: Journal,
	runId: string,
	query: { limit?: string; cursor?: string },
): Promise<RunDetail> {
	const limit = parseLimit(query, DEFAULT_LIMIT);
	const after = parseCursor(query) ?? 0;
	const answer = await journal.database.read(async (queries) => {
		const run = await findRun(queries, NAMESPACE, runId);
		if (!run) return new JournalProblem('not_found', {}, `There is no run "${runId}"`);
		const rows = await listStepsOfRun(queries, run.id, limit, after);
		const result = await loadPayload(queries, { json: run.result_json, ref: run.result_ref });
		return {
			...describeRun(run),
			...(result !== undefined && { result }),
			steps: rows.map((step) => describeStep(queries, step, run.run_id)),
			nextCursor: nextCursor(rows, limit),
			gates: after === 0 ? await listGatesOfRun(queries, run, limit) : [],
		};
	});
	return orThrow(answer);
}
