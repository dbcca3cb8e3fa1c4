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
	/** The first open's request, without its resume URL and its input: what is shown is frozen. */
	request_json: string | null;
	request_ref: number | null;
	/** Apart from the request, since it may be large and lists do not show it. */
	input_json: string | null;
	input_ref: number | null;
	shown_sha256: string;
	opened_at: number;
	deadline_at: number | null;
	on_deadline: OnDeadline;
	decision_json: string | null;
	/** When the gate became final, decided or not. */
	decided_at: number | null;
	superseded_by: string | null;
	/** When it was passed on to others, whose deadline `deadline_at` is since then. */
	escalated_at: number | null;
}

const COLUMNS = `id, run_ref, gate_id, gate, kind, slot, step_key, state, request_json, request_ref,
	input_json, input_ref, shown_sha256, opened_at, deadline_at, on_deadline, decision_json, decided_at, superseded_by,
	escalated_at`;
/** What a removed run still has is not seen any more. */
const HAS_RUN = 'EXISTS (SELECT 1 FROM runs WHERE runs.id = gates.run_ref)';

export async function findGate(
	queries: Queries,
	namespace: string,
	gateId: string,
): Promise<GateRow | undefined> {
	return await queries.get<GateRow>(
		`SELECT ${COLUMNS} FROM gates WHERE namespace = ? AND gate_id = ? AND ${HAS_RUN}`,
		namespace,
		gateId,
	);
}

/** @param gateRef `gates.id` */
export async function findGateByRef(
	queries: Queries,
	gateRef: number,
): Promise<GateRow | undefined> {
	return await queries.get<GateRow>(
		`SELECT ${COLUMNS} FROM gates WHERE id = ? AND ${HAS_RUN}`,
		gateRef,
	);
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
	readonly input: PayloadColumns;
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
			request_json, request_ref, input_json, input_ref, shown_sha256, opened_at, deadline_at,
			on_deadline)
		 VALUES (?, ?, ?, ?, ?, ?, ?, 'open', ?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${COLUMNS}`,
		namespace,
		gate.runRef,
		gate.gateId,
		gate.gate,
		gate.kind,
		gate.slot ?? null,
		gate.stepKey ?? null,
		gate.request.json,
		gate.request.ref,
		gate.input.json,
		gate.input.ref,
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

/** Makes an open gate final. The first decision stands: of one that is final the transaction fails. */
export async function settleGateRow(
	queries: Queries,
	gateRef: number,
	settlement: GateSettlement,
): Promise<void> {
	queries.send(
		`UPDATE gates SET state = ?, decision_json = ?, superseded_by = ?, decided_at = ?
		 WHERE id = ? AND state = 'open'`,
		settlement.state,
		settlement.decisionJson ?? null,
		settlement.supersededBy ?? null,
		queries.now,
		gateRef,
	);
}

/** Passes an open gate on to others, with a deadline and a policy of their own. */
export async function passOnGateRow(
	queries: Queries,
	gateRef: number,
	{ deadlineAt, onDeadline }: { deadlineAt: number; onDeadline: OnDeadline },
): Promise<void> {
	await queries.run(
		`UPDATE gates SET escalated_at = ?, deadline_at = ?, on_deadline = ?
		 WHERE id = ? AND state = 'open'`,
		queries.now,
		deadlineAt,
		onDeadline,
		gateRef,
	);
}

/** Which gates a list holds; all of them where nothing is given. */
export interface GateFilter {
	readonly state?: GateState | undefined;
	readonly runRef?: number | undefined;
}

/** Newest first, `before` being the id that the cursor carries. */
export async function listGateRows(
	queries: Queries,
	namespace: string,
	{ state, runRef }: GateFilter,
	limit: number,
	before: number,
): Promise<GateRow[]> {
	return await queries.all<GateRow>(
		`SELECT ${COLUMNS} FROM gates WHERE namespace = ? AND id < ? AND ${HAS_RUN}
			${state === undefined ? '' : 'AND state = ?'} ${runRef === undefined ? '' : 'AND run_ref = ?'}
		 ORDER BY id DESC LIMIT ?`,
		namespace,
		before,
		...(state === undefined ? [] : [state]),
		...(runRef === undefined ? [] : [runRef]),
		limit,
	);
}

/** In the order in which they were opened. */
export async function listGateRowsOfRun(
	queries: Queries,
	runRef: number,
	limit: number,
): Promise<GateRow[]> {
	return await queries.all<GateRow>(
		`SELECT ${COLUMNS} FROM gates WHERE run_ref = ? ORDER BY id LIMIT ?`,
		runRef,
		limit,
	);
}

export async function listOpenGateRowsOfRun(queries: Queries, runRef: number): Promise<GateRow[]> {
	return await queries.all<GateRow>(
		`SELECT ${COLUMNS} FROM gates WHERE run_ref = ? AND state = 'open' ORDER BY id`,
		runRef,
	);
}

/** Open gates whose deadlines have passed and settle them, in the order in which they passed. */
export async function listOverdueGateRowsOfRun(
	queries: Queries,
	runRef: number,
): Promise<GateRow[]> {
	return await queries.all<GateRow>(
		`SELECT ${COLUMNS} FROM gates
		 WHERE run_ref = ? AND state = 'open' AND on_deadline <> 'wait' AND deadline_at <= ?
		 ORDER BY deadline_at, id`,
		runRef,
		queries.now,
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
