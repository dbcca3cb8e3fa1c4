import type { Decision, Gate, OpenGateRequest, Wake } from '../contract/gates';
import { currentApprovers } from '../domain/authority';
import { instant } from '../domain/instant';
import type { Queries } from '../store/database';
import { listWaiters } from '../store/gate-waiters';
import type { GateRow } from '../store/gates';
import { loadPayload } from '../store/payloads';
import { findRunByRef } from '../store/runs';
import { gateAuthority } from './gate-authority';
import { gateVoices } from './gate-voices';

/** What the first open asked, without its resume URL and its input, which is kept apart. */
export type FrozenRequest = Omit<OpenGateRequest, 'resumeUrl' | 'input'>;

/** The frozen request of a gate. */
export async function frozenRequest(queries: Queries, row: GateRow): Promise<FrozenRequest> {
	const columns = { json: row.request_json, ref: row.request_ref };
	return (await loadPayload(queries, columns)) as FrozenRequest;
}

/** What the people are asked about. */
export async function frozenInput(queries: Queries, row: GateRow): Promise<unknown> {
	return await loadPayload(queries, { json: row.input_json, ref: row.input_ref });
}

/** A stored gate as the API shows it. */
export async function describeGate(queries: Queries, row: GateRow): Promise<Gate> {
	const run = (await findRunByRef(queries, row.run_ref))!;
	return await describeGateOfRun(queries, row, run.run_id);
}

/** The same where the run is at hand. */
export async function describeGateOfRun(
	queries: Queries,
	row: GateRow,
	runId: string,
): Promise<Gate> {
	const request = await frozenRequest(queries, row);
	const { title, message, meta, quorum = 1 } = request;
	const approvers = currentApprovers(gateAuthority(request, row));
	const wakes = await listWakes(queries, row.id);
	return {
		gateId: row.gate_id,
		runId,
		gate: row.gate,
		kind: row.kind,
		...(row.slot !== null && { slot: row.slot }),
		state: row.state,
		title,
		message,
		openedAt: instant(row.opened_at),
		deadline: row.deadline_at === null ? null : instant(row.deadline_at),
		decision: standingDecision(row),
		decisions: await gateVoices(queries, row.id),
		wakes,
		wake: wakes.at(-1) ?? null,
		...(row.superseded_by !== null && { supersededBy: row.superseded_by }),
		...(approvers.length > 0 && { approvers: approvers.map(({ name }) => name) }),
		quorum,
		...(row.escalated_at !== null && { escalatedAt: instant(row.escalated_at) }),
		...(meta && { meta }),
	};
}

/** The decision that stands, or null: open, superseded or cancelled. */
export function standingDecision(row: GateRow): Decision | null {
	return row.decision_json === null ? null : (JSON.parse(row.decision_json) as Decision);
}

async function listWakes(queries: Queries, gateRef: number): Promise<Wake[]> {
	const waiters = await listWaiters(queries, gateRef);
	return waiters.flatMap(({ state, attempts, last_status }) =>
		state === 'waiting' ? [] : [{ state, attempts, lastStatus: last_status }],
	);
}
