import type { RunState } from '../contract/runs';
import type { Queries } from './database';
import type { PayloadColumns } from './payloads';

export interface RunRow {
	id: number;
	run_id: string;
	state: RunState;
	created_at: number;
	updated_at: number;
	/** Steps and gates that were ever begun in it. */
	step_count: number;
	gate_count: number;
	/** Who settled it, why and when; absent while it is active. */
	settlement_json: string | null;
	/** Who last took it up again after it had failed or was given up. */
	reopening_json: string | null;
	result_json: string | null;
	result_ref: number | null;
	audit_seq: number;
	audit_hash: string;
}

const COLUMNS = `id, run_id, state, created_at, updated_at, step_count, gate_count, settlement_json,
	reopening_json, result_json, result_ref, audit_seq, audit_hash`;

const FIND = `SELECT ${COLUMNS} FROM runs WHERE namespace = ? AND run_id = ?`;
const FIND_BY_REF = `SELECT ${COLUMNS} FROM runs WHERE id = ?`;
const FIND_OF_STEP = `SELECT ${COLUMNS} FROM runs
	WHERE id = (SELECT run_ref FROM steps WHERE namespace = ? AND key = ?)`;

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

export async function findRunOfStep(
	queries: Queries,
	namespace: string,
	key: string,
): Promise<RunRow | undefined> {
	return await queries.get<RunRow>(FIND_OF_STEP, namespace, key);
}

export async function insertRun(
	queries: Queries,
	namespace: string,
	runId: string,
	auditHash: string,
): Promise<RunRow> {
	const row = await queries.get<RunRow>(
		`INSERT INTO runs (namespace, run_id, state, created_at, updated_at, step_count, gate_count,
			audit_seq, audit_hash)
		 VALUES (?, ?, 'active', ?, ?, 0, 0, 0, ?) RETURNING ${COLUMNS}`,
		namespace,
		runId,
		queries.now,
		queries.now,
		auditHash,
	);
	return row!;
}

/** Ends a run. The caller has checked that its state may become this one. */
export async function settleRunRow(
	queries: Queries,
	runRef: number,
	state: Exclude<RunState, 'active'>,
	settlementJson: string,
	result: PayloadColumns,
): Promise<void> {
	await queries.run(
		`UPDATE runs SET state = ?, settlement_json = ?, result_json = ?, result_ref = ? WHERE id = ?`,
		state,
		settlementJson,
		result.json,
		result.ref,
		runRef,
	);
}

/** Makes a failed or dead run active again. */
export async function reopenRunRow(
	queries: Queries,
	runRef: number,
	reopeningJson: string,
): Promise<void> {
	await queries.run(
		`UPDATE runs SET state = 'active', settlement_json = NULL, reopening_json = ? WHERE id = ?`,
		reopeningJson,
		runRef,
	);
}

/** Newest first, `before` being the id that the cursor carries. */
export async function listRunRows(
	queries: Queries,
	namespace: string,
	state: RunState | undefined,
	limit: number,
	before: number,
): Promise<RunRow[]> {
	return await queries.all<RunRow>(
		`SELECT ${COLUMNS} FROM runs
		 WHERE namespace = ? AND id < ? ${state === undefined ? '' : 'AND state = ?'}
		 ORDER BY id DESC LIMIT ?`,
		namespace,
		before,
		...(state === undefined ? [] : [state]),
		limit,
	);
}

/** Oldest first, from behind the row `after`: in the order in which they grow too old. */
export async function listRunRowsFrom(
	queries: Queries,
	after: number,
	limit: number,
): Promise<RunRow[]> {
	return await queries.all<RunRow>(
		`SELECT ${COLUMNS} FROM runs WHERE id > ? ORDER BY id LIMIT ?`,
		after,
		limit,
	);
}

export async function deleteRunRow(queries: Queries, runRef: number): Promise<void> {
	await queries.run('DELETE FROM runs WHERE id = ?', runRef);
}
