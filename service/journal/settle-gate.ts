import type { AuditType } from '../domain/audit-chain';
import type { Queries } from '../store/database';
import { makeWaitersPending } from '../store/gate-waiters';
import { settleGateRow, type GateRow, type GateSettlement } from '../store/gates';
import { dropTimers } from '../store/timers';
import { appendAudit, type AuditHead } from './append-audit';
import { enqueueGateOutcome } from './enqueue-messages';
import { NAMESPACE } from './journal';

/**
 * Makes an open gate final and owes everything that follows from it: its timers go, its waiters
 * are to be woken, its messages show the outcome. In the transaction of the caller, who calls
 * signalSettledGates after the commit.
 */
export async function settleGate(
	queries: Queries,
	run: AuditHead,
	gate: GateRow,
	settlement: GateSettlement,
	fact: { type: AuditType; data?: Record<string, string> },
): Promise<void> {
	await settleGateRow(queries, gate.id, settlement);
	await dropTimers(queries, NAMESPACE, gate.gate_id);
	await makeWaitersPending(queries, gate.id);
	await enqueueGateOutcome(queries, gate.id);
	await appendAudit(queries, run, fact.type, gate.gate_id, fact.data);
}
