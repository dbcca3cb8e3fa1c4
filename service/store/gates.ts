/** SQL of `gates`: one row for each question to people. */
import type { GateKind, GateState, OnDeadline } from '../contract/gates';
import type { Queries } from './database';
import type { PayloadColumns } from './payloads';

export interface GateRow {
	id: number;
	run_ref: number;
	gate_id: string;
	gate: string;
	kind: GateKind;
	slot: string | null;
	/** The step that a gate of kind `in_doubt` asks about. */
	step_key: string | null;
	state: GateState;
	/** The first open's request, without its resume URL: what is shown is frozen. */
	request_json: string | null;
	request_ref: number | null;
	shown_sha256: string;
	opened_at: number;
	deadline_at: number | null;
	on_deadline: OnDeadline;
	decision_json: string | null;
	/** When the gate became final, decided or not. */
	decided_at: number | null;
	superseded_by: string | null;
}

const COLUMNS = `id, run_ref, gate_id, gate, kind, slot, step_key, state, request_json, request_ref,
	shown_sha256, opened_at, deadline_at, on_deadline, decision_json, decided_at, superseded_by`;

export async function findGate(
	queries: Queries,
	namespace: string,
	gateId: string,
): Promise<GateRow | undefined> {
	return await queries.get<GateRow>(
		`SELECT ${COLUMNS} FROM gates WHERE namespace = ? AND gate_id = ?`,
		namespace,
		gateId,
	);
}

/** @param gateRef `gates.id` */
export async function findGateByRef(
	queries: Queries,
	gateRef: number,
): Promise<GateRow | undefined> {
	return await queries.get<GateRow>(`SELECT ${COLUMNS} FROM gates WHERE id = ?`, gateRef);
}

/** Open gates for people's approval that were asked from this place of the workflow. */
export async function findOpenGatesOfSlot(
	queries: Queries,
	runRef: number,
	slot: string,
): Promise<GateRow[]> {
	return await queries.all<GateRow>(
		`SELECT ${COLUMNS} FROM gates
		 WHERE run_ref = ? AND slot = ? AND kind = 'approval' AND state = 'open' ORDER BY id`,
		runRef,
		slot,
	);
}

export interface NewGate {
	readonly runRef: number;
	readonly gateId: string;
	readonly gate: string;
	readonly kind: GateKind;
	readonly slot: string | undefined;
	readonly stepKey: string | undefined;
	readonly request: PayloadColumns;
	readonly shownSha256: string;
	readonly deadlineAt: number | null;
	readonly onDeadline: OnDeadline;
}

export async function insertGate(
	queries: Queries,
	namespace: string,
	gate: NewGate,
): Promise<GateRow> {
	const row = await queries.get<GateRow>(
		`INSERT INTO gates (namespace, run_ref, gate_id, gate, kind, slot, step_key, state,
			request_json, request_ref, shown_sha256, opened_at, deadline_at, on_deadline)
		 VALUES (?, ?, ?, ?, ?, ?, ?, 'open', ?, ?, ?, ?, ?, ?) RETURNING ${COLUMNS}`,
		namespace,
		gate.runRef,
		gate.gateId,
		gate.gate,
		gate.kind,
		gate.slot ?? null,
		gate.stepKey ?? null,
		gate.request.json,
		gate.request.ref,
		gate.shownSha256,
		queries.now,
		gate.deadlineAt,
		gate.onDeadline,
	);
	return row!;
}

export interface GateSettlement {
	readonly state: Exclude<GateState, 'open'>;
	readonly decisionJson?: string;
	readonly supersededBy?: string;
}

/** Makes an open gate final. @returns false when it was final already: nothing is written then */
export async function settleGateRow(
	queries: Queries,
	gateRef: number,
	settlement: GateSettlement,
): Promise<boolean> {
	const { changes } = await queries.run(
		`UPDATE gates SET state = ?, decision_json = ?, superseded_by = ?, decided_at = ?
		 WHERE id = ? AND state = 'open'`,
		settlement.state,
		settlement.decisionJson ?? null,
		settlement.supersededBy ?? null,
		queries.now,
		gateRef,
	);
	return changes === 1;
}

/** Newest first, `before` being the id that the cursor carries. */
export async function listGateRows(
	queries: Queries,
	namespace: string,
	state: GateState | undefined,
	limit: number,
	before: number,
): Promise<GateRow[]> {
	return await queries.all<GateRow>(
		`SELECT ${COLUMNS} FROM gates
		 WHERE namespace = ? AND id < ? ${state === undefined ? '' : 'AND state = ?'}
		 ORDER BY id DESC LIMIT ?`,
		namespace,
		before,
		...(state === undefined ? [] : [state]),
		limit,
	);
}

export async function listGateRowsOfRun(queries: Queries, runRef: number): Promise<GateRow[]> {
	return await queries.all<GateRow>(
		`SELECT ${COLUMNS} FROM gates WHERE run_ref = ? ORDER BY id`,
		runRef,
	);
}

/** The open gate that asks whether the effect of this step happened. */
export async function findOpenGateOfStep(
	queries: Queries,
	runRef: number,
	stepKey: string,
): Promise<GateRow | undefined> {
	return await queries.get<GateRow>(
		`SELECT ${COLUMNS} FROM gates WHERE run_ref = ? AND step_key = ? AND state = 'open'`,
		runRef,
		stepKey,
	);
}

/** Removes the gates of a run and what they showed. What hangs on them must be removed before. */
export async function deleteGatesOfRun(queries: Queries, runRef: number): Promise<void> {
	await queries.run(
		'DELETE FROM payloads WHERE id IN (SELECT request_ref FROM gates WHERE run_ref = ?)',
		runRef,
	);
	await queries.run('DELETE FROM gates WHERE run_ref = ?', runRef);
}
