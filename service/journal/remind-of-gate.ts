import type { Queries } from '../store/database';
import { deliveriesOfGate, type DeliveryTarget } from '../store/deliveries';
import type { GateRow } from '../store/gates';
import { insertOutbox } from '../store/outbox';
import { appendAudit, type AuditHead } from './append-audit';
import { frozenRequest } from './describe-gate';
import { gateAuthority } from './gate-authority';
import { gateVoices } from './gate-voices';
import { NAMESPACE } from './journal';
import { setReminder } from './set-gate-timers';

/**
 * Owes a reminder to everybody who was shown the gate, may decide it and has not yet, and sets the
 * timer of the next. In the transaction of the caller, who notifies MESSAGES_OWED after the commit.
 */
export async function remindOfGate(queries: Queries, run: AuditHead, gate: GateRow): Promise<void> {
	const request = await frozenRequest(queries, gate);
	const { named } = gateAuthority(request, gate);
	const spoken = new Set((await gateVoices(queries, gate.id)).map(({ by }) => by));
	const stage = gate.escalated_at === null ? 0 : 1;
	let reminded = 0;
	for (const delivery of await deliveriesOfGate(queries, gate.id)) {
		const { approver } = JSON.parse(delivery.target_json) as DeliveryTarget;
		const silent = approver === undefined || !spoken.has(named[approver]?.name ?? '');
		if (!silent || delivery.message_id === null || (delivery.stage ?? 0) !== stage) continue;
		await insertOutbox(queries, NAMESPACE, delivery.id, 'reminder');
		reminded++;
	}
	if (reminded > 0) await appendAudit(queries, run, 'gate.reminded', gate.gate_id);
	await setReminder(queries, gate, request);
}
