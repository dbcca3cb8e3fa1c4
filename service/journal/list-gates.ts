import type { Gate, GateState } from '../contract/gates';
import type { Queries } from '../store/database';
import { listGateRows, listGateRowsOfRun } from '../store/gates';
import { findRun, type RunRow } from '../store/runs';
import { describeGate, describeGateOfRun } from './describe-gate';
import { NAMESPACE, type Journal } from './journal';
import { nextCursor, parsePage } from './page';

/**
 * Gates, newest first; of one run, or in one state, where that is asked for.
 * @throws JournalProblem invalid_request for a cursor that is none of ours
 */
export async function listGates(
	journal: Journal,
	query: { state?: GateState; runId?: string; limit?: string; cursor?: string },
): Promise<{ items: Gate[]; nextCursor: string | null }> {
	const { limit, before } = parsePage(query);
	return await journal.database.read(async (queries) => {
		const run =
			query.runId === undefined ? undefined : await findRun(queries, NAMESPACE, query.runId);
		if (query.runId !== undefined && !run) return { items: [], nextCursor: null };
		const filter = { state: query.state, runRef: run?.id };
		const rows = await listGateRows(queries, NAMESPACE, filter, limit, before);
		const items: Gate[] = [];
		for (const row of rows) items.push(await describeGate(queries, row));
		return { items, nextCursor: nextCursor(rows, limit) };
	});
}

/** The first gates of a run in the order in which they were opened, without their long texts. */
export async function listGatesOfRun(
	queries: Queries,
	run: RunRow,
	limit: number,
): Promise<Array<Omit<Gate, 'message'>>> {
	const gates: Array<Omit<Gate, 'message'>> = [];
	for (const row of await listGateRowsOfRun(queries, run.id, limit)) {
		const { message: _, ...gate } = await describeGateOfRun(queries, row, run.run_id);
		gates.push(gate);
	}
	return gates;
}
