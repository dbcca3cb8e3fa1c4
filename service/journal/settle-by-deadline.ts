import type { Decision } from '../contract/gates';
import { deadlineOutcome } from '../domain/gate';
import { instant } from '../domain/instant';
import type { Queries } from '../store/database';
import { deliveryStateOfGate } from '../store/deliveries';
import { listOverdueGateRowsOfRun, type GateRow } from '../store/gates';
import type { RunRow } from '../store/runs';
import { cancelInTransaction } from './cancel-in-transaction';
import { escalateGate } from './escalate-gate';
import { settleGate } from './settle-gate';

/**
 * Settles the open gates of a run whose deadlines have passed, as their policies say and in the
 * order in which they passed; one that escalates passes its gate on. To be called before anything that gates decide, or that closes them:
 * a deadline has decided when it passes, not when its timer gets to it. Where a policy cancels the
 * run, `run` says so afterwards, and its other gates are closed. In the transaction of the caller,
 * who calls signalSettledGates after the commit.
 */
export async function settleByDeadlines(queries: Queries, run: RunRow): Promise<void> {
	for (const gate of await listOverdueGateRowsOfRun(queries, run.id)) {
		await settle(queries, run, gate);
		if (run.state === 'cancelled') return;
	}
}

async function settle(queries: Queries, run: RunRow, gate: GateRow): Promise<void> {
	const stage = gate.escalated_at === null ? 0 : 1;
	const deliveries = await deliveryStateOfGate(queries, gate.id, stage);
	const outcome = deadlineOutcome(gate.on_deadline, {
		hasChannel: deliveries !== 'none',
		delivered: deliveries === 'delivered',
	});
	if (!outcome) return;
	if (outcome.state === 'open') return await escalateGate(queries, run, gate);
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
}
