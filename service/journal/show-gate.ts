import type { Deadline, OpenGateRequest } from '../contract/gates';
import { currentApprovers } from '../domain/authority';
import { editableFields } from '../domain/editing';
import type { ShownGate } from '../domain/shown-gate';
import type { Queries } from '../store/database';
import { listWaiters } from '../store/gate-waiters';
import { findGate, type GateRow } from '../store/gates';
import { findRunByRef } from '../store/runs';
import { frozenInput, frozenRequest, standingDecision } from './describe-gate';
import { gateAuthority } from './gate-authority';
import { gateVoices } from './gate-voices';
import { NAMESPACE, type Journal } from './journal';
import { orThrow } from './problem';
import { noSuchGate } from './read-gate';

/**
 * A gate with all that people are shown before they decide, as the first open froze it.
 * @throws JournalProblem not_found
 */
export async function showGate(journal: Journal, gateId: string): Promise<ShownGate> {
	const answer = await journal.database.read(async (queries) => {
		const row = await findGate(queries, NAMESPACE, gateId);
		return row ? await shownGate(queries, row) : noSuchGate(gateId);
	});
	return orThrow(answer);
}

/** The same inside a transaction or read of the caller, where the row is at hand. */
export async function shownGate(queries: Queries, row: GateRow): Promise<ShownGate> {
	const request = await frozenRequest(queries, row);
	const run = (await findRunByRef(queries, row.run_ref))!;
	const waiters = await listWaiters(queries, row.id);
	const input = await frozenInput(queries, row);
	const { editable, language, requester } = request;
	const voices = await gateVoices(queries, row.id);
	return {
		gateId: row.gate_id,
		runId: run.run_id,
		gate: row.gate,
		kind: row.kind,
		state: row.state,
		title: request.title,
		message: request.message,
		input,
		openedAt: row.opened_at,
		deadlineAt: row.deadline_at ?? undefined,
		onDeadline: row.on_deadline,
		timeZone: zoneOf(request),
		approvers: currentApprovers(gateAuthority(request, row)).map(({ name }) => name),
		requester: requester?.name,
		quorum: request.quorum ?? 1,
		approvedBy: voices.filter(({ decision }) => decision === 'approve').map(({ by }) => by),
		offersChanges: request.offerChanges === true,
		editable: editable === undefined ? [] : editableFields(editable, input),
		escalatedAt: row.escalated_at ?? undefined,
		language,
		decision: standingDecision(row) ?? undefined,
		superseded: row.superseded_by !== null,
		withoutEffect: waiters.length > 0 && waiters.every(({ state }) => state === 'gone'),
	};
}

function zoneOf({ deadline }: Pick<OpenGateRequest, 'deadline'>): string {
	const zoned = deadline as Extract<Deadline, { timeZone: string }> | undefined;
	return zoned?.timeZone ?? 'UTC';
}
