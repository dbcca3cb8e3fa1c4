import type { Decision } from '../contract/gates';
import { deadlineOutcome } from '../domain/gate';
import { instant } from '../domain/instant';
import type { Queries } from '../store/database';
import { deliveryStateOfGate } from '../store/deliveries';
import type { GateRow } from '../store/gates';
import { findRunByRef } from '../store/runs';
import { cancelInTransaction } from './cancel-run';
import { settleGate } from './settle-gate';

/**
 * Settles an open gate whose deadline has passed, as its policy says. In the transaction of the
 * caller, who calls
 * signalSettledGates after the commit.
 * @returns whether the gate is final now
 */
export async function settleByDeadline(queries: Queries, gate: GateRow): Promise<boolean> {
	if (gate.state !== 'open' || gate.deadline_at === null || gate.deadline_at > queries.now)
		return false;
	const deliveries = await deliveryStateOfGate(queries, gate.id);
	const outcome = deadlineOutcome(gate.on_deadline, {
		hasChannel: deliveries !== 'none',
		delivered: deliveries === 'delivered',
	});
	if (!outcome) return false;
	const run = (await findRunByRef(queries, gate.run_ref))!;
	const decision: Decision = {
		decision: outcome.decision,
		by: 'deadline',
		via: 'deadline',
		policy: gate.on_deadline,
		at: instant(queries.now),
		shownSha256: gate.shown_sha256,
	};
	await settleGate(
		queries,
		run,
		gate,
		{ state: outcome.state, decisionJson: JSON.stringify(decision) },
		{
			type: 'gate.decided',
			data: { state: outcome.state, decision: outcome.decision, via: 'deadline' },
		},
	);
	if (outcome.cancelsRun)
		await cancelInTransaction(queries, run, {
			by: 'deadline',
			reason: `The deadline of gate "${gate.gate}" passed without a decision`,
		});
	return true;
}
