import { nextAttemptAt, type RetryLimits } from '../domain/retry-policy';
import type { ShownGate } from '../domain/shown-gate';
import type { Queries } from '../store/database';
import { deliveryById, type DeliveryTarget, markDelivered } from '../store/deliveries';
import { findGateByRef, type GateRow } from '../store/gates';
import {
	makeTakenOutboxDue,
	nextOutboxDueAt,
	type OutboxRow,
	postponeOutbox,
	settleOutbox,
	takeDueOutbox,
} from '../store/outbox';
import { decisionLink } from './decision-link';
import { type Journal, NAMESPACE } from './journal';
import type { DeliveryOutcome, OutboxMessage } from './outbox-message';
import { shownGate } from './show-gate';

/** Longer than any sending takes; after that a row counts as left behind and is taken again. */
const TAKEN_FOR_MS = 60_000;
/** A channel may be away for a day; then the gate is still in the inbox. */
const LIMITS: RetryLimits = { maxAttempts: 1_000, maxElapsedMs: 86_400_000 };

/**
 * Takes up to `limit` messages that are due. What nobody needs to read any more is dropped: the
 * request, changes and reminders of a gate that is closed by now or was passed on to others, and the
 * outcome of a gate that was never shown.
 */
export async function takeDueMessages(
	journal: Journal,
	limit: number,
): Promise<{ taken: number; messages: OutboxMessage[] }> {
	// Asked far more often than anything is due: look before writing.
	const dueAt = await nextMessageDueAt(journal);
	if (dueAt === undefined || dueAt > journal.database.now()) return { taken: 0, messages: [] };
	return await journal.database.write([], async (queries) => {
		const rows = await takeDueOutbox(queries, NAMESPACE, limit, TAKEN_FOR_MS);
		const messages: OutboxMessage[] = [];
		for (const row of rows) {
			const message = await messageOf(journal, queries, row);
			if (message) messages.push(message);
			else await settleOutbox(queries, row, 'dropped', null);
		}
		return { taken: rows.length, messages };
	});
}

/** Messages that a process took and did not send before it died are owed at once. For the start. */
export async function reclaimMessages(journal: Journal): Promise<void> {
	await journal.database.write([], (queries) => makeTakenOutboxDue(queries, NAMESPACE));
}

/** Writes down what the channel said of a message that was taken. */
export async function recordDelivery(
	journal: Journal,
	message: OutboxMessage,
	outcome: DeliveryOutcome,
): Promise<'sent' | 'failed' | 'again'> {
	return await journal.database.write([{ gateId: message.gate.gateId }], async (queries) => {
		const { row } = message;
		if (outcome.kind === 'sent') {
			// Also when the taking ran out meanwhile: the message is there, and its outcome edits it.
			if (message.kind === 'gate')
				await markDelivered(queries, message.deliveryRef, outcome.messageId, outcome.target);
			await settleOutbox(queries, row, 'sent', null);
			return 'sent';
		}
		const next =
			outcome.kind === 'failed'
				? undefined
				: nextAttemptAt(
						LIMITS,
						row.attempts,
						row.created_at,
						queries.now,
						journal.random(),
						outcome.retryAfterMs,
					);
		if (next === undefined) {
			await settleOutbox(queries, row, 'failed', outcome.code);
			return 'failed';
		}
		await postponeOutbox(queries, row, next, outcome.code);
		return 'again';
	});
}

/** When the next message is due, milliseconds since the epoch, or undefined when none is owed. */
export async function nextMessageDueAt(journal: Journal): Promise<number | undefined> {
	return await journal.database.read((queries) => nextOutboxDueAt(queries, NAMESPACE));
}

async function messageOf(
	journal: Journal,
	queries: Queries,
	row: OutboxRow,
): Promise<OutboxMessage | undefined> {
	const delivery = await deliveryById(queries, row.delivery_ref);
	const gateRow = delivery && (await findGateByRef(queries, delivery.gate_ref));
	if (!delivery || !gateRow) return undefined;
	const closed = gateRow.state !== 'open';
	if (row.kind !== 'gate' && delivery.message_id === null) return undefined;
	const answerable = !closed && (delivery.stage ?? 0) === (gateRow.escalated_at === null ? 0 : 1);
	const asks = row.kind === 'gate' || row.kind === 'reminder';
	if (asks && !answerable) return undefined;
	if (closed && row.kind !== 'outcome') return undefined;
	const gate = await shownGate(queries, gateRow);
	const target = JSON.parse(delivery.target_json) as DeliveryTarget;
	return {
		row,
		kind: row.kind,
		deliveryRef: delivery.id,
		channel: delivery.channel,
		target,
		shortId: delivery.short_id,
		messageId: delivery.message_id ?? undefined,
		gate,
		answerable,
		links: linksOf(journal, gateRow, gate, delivery.channel, target),
	};
}

function linksOf(
	journal: Journal,
	row: GateRow,
	{ approvers }: ShownGate,
	channel: string,
	{ approver }: DeliveryTarget,
): OutboxMessage['links'] {
	const via = channel === 'email' ? 'email' : 'link';
	const holder = approver ?? (approvers.length === 0 ? 'link' : undefined);
	return {
		decide: holder === undefined ? undefined : decisionLink(journal, row, holder, via),
		show: decisionLink(journal, row, 'show'),
	};
}
