import { durationMs } from '../domain/duration';
import type { Queries } from '../store/database';
import { findGateByRef, passOnGateRow, type GateRow } from '../store/gates';
import { dropTimers } from '../store/timers';
import { appendAudit, type AuditHead } from './append-audit';
import { frozenRequest } from './describe-gate';
import { enqueueGateMessages, enqueueGateUpdate } from './enqueue-messages';
import { NAMESPACE } from './journal';
import { setGateTimers } from './set-gate-timers';

/**
 * Passes a gate on to those whom its first open named for that: they are asked, with a deadline that
 * counts from now, since nobody asked them before; those who were asked first are told. In the
 * transaction of the caller, who notifies TIMERS_SET and MESSAGES_OWED after the commit.
 */
export async function escalateGate(queries: Queries, run: AuditHead, gate: GateRow): Promise<void> {
	const request = await frozenRequest(queries, gate);
	const { approvers, in: within, then } = request.escalateTo!;
	await passOnGateRow(queries, gate.id, {
		deadlineAt: queries.now + durationMs(within)!,
		onDeadline: then,
	});
	// Whoever came before the timer of the old deadline finds it still there.
	await dropTimers(queries, NAMESPACE, gate.gate_id);
	const passedOn = (await findGateByRef(queries, gate.id))!;
	await setGateTimers(queries, passedOn, request);
	await enqueueGateUpdate(queries, gate.id);
	await enqueueGateMessages(
		queries,
		gate.id,
		{ ...request, approvers },
		{
			stage: 1,
			before: request.approvers?.length ?? 0,
		},
	);
	await appendAudit(queries, run, 'gate.escalated', gate.gate_id);
}
