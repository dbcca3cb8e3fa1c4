import type { RunState } from '../contract/runs';
import type { Queries } from './database';

export interface RunRow {
	id: number;
	run_id: string;
	state: RunState;
	created_at: number;
	updated_at: number;
	cancelled_by: string | null;
	cancelled_reason: string | null;
	audit_seq: number;
	audit_hash: string;
}

const COLUMNS =
	'id, run_id, state, created_at, updated_at, cancelled_by, cancelled_reason, audit_seq, audit_hash';

const FIND = `SELECT ${COLUMNS} FROM runs WHERE namespace = ? AND run_id = ?`;
const FIND_BY_REF = `SELECT ${COLUMNS} FROM runs WHERE id = ?`;

export async function findRun(
	queries: Queries,
	namespace: string,
	runId: string,
): Promise<RunRow | undefined> {
	return await queries.get<RunRow>(FIND, namespace, runId);
}

export async function findRunByRef(queries: Queries, runRef: number): Promise<RunRow | undefined> {
	return await queries.get<RunRow>(FIND_BY_REF, runRef);
}

export async function insertRun(
	queries: Queries,
	namespace: string,
	runId: string,
	auditHash: string,
): Promise<RunRow> {
	const row = await queries.get<RunRow>(
		`INSERT INTO runs (namespace, run_id, state, created_at, updated_at, audit_seq, audit_hash)
		 VALUES (?, ?, 'active', ?, ?, 0, ?) RETURNING ${COLUMNS}`,
		namespace,
		runId,
		queries.now,
		queries.now,
		auditHash,
	);
	return row!;
}

export async function markRunCancelled(
	queries: Queries,
	runRef: number,
	by: string,
	reason: string,
): Promise<void> {
	await queries.run(
		`UPDATE runs SET state = 'cancelled', cancelled_by = ?, cancelled_reason = ?, updated_at = ? WHERE id = ?`,
		by,
		reason,
		queries.now,
		runRef,
	);
}

/** Newest first, `before` being the id that the cursor carries. */
export async function listRunRows(
	queries: Queries,
	namespace: string,
	limit: number,
	before: number,
): Promise<RunRow[]> {
	return await queries.all<RunRow>(
		`SELECT ${COLUMNS} FROM runs WHERE namespace = ? AND id < ? ORDER BY id DESC LIMIT ?`,
		namespace,
		before,
		limit,
	);
}

export async function deleteRunRow(queries: Queries, runRef: number): Promise<void> {
	await queries.run('DELETE FROM runs WHERE id = ?', runRef);
}
