import type { Run, RunState } from '../contract/runs';
import { listRunRows } from '../store/runs';
import { describeRun } from './describe-run';
import { NAMESPACE, type Journal } from './journal';
import { nextCursor, parsePage } from './page';

/** Runs, newest first. @throws JournalProblem invalid_request for a cursor that is none of ours */
export async function listRuns(
	journal: Journal,
	query: { state?: RunState; limit?: string; cursor?: string },
): Promise<{ items: Run[]; nextCursor: string | null }> {
	const { limit, before } = parsePage(query);
	const rows = await journal.database.read(
		async (queries) => await listRunRows(queries, NAMESPACE, query.state, limit, before),
	);
	return { items: rows.map(describeRun), nextCursor: nextCursor(rows, limit) };
}
