import { randomBytes } from 'node:crypto';
import type { Approver, Channel, OpenGateRequest } from '../contract/gates';
import type { Queries } from '../store/database';
import { type DeliveryTarget, deliveriesOfGate, insertDelivery } from '../store/deliveries';
import { insertOutbox } from '../store/outbox';
import { NAMESPACE } from './journal';

/**
 * Owes the messages that show a new gate, in the transaction that opens it: one for each channel,
 * or one for each approver where the channel reaches them in person and no place was named.
 * Notify MESSAGES_OWED after the commit.
 * @param gateRef `gates.id`
 */
export async function enqueueGateMessages(
	queries: Queries,
	gateRef: number,
	request: Pick<OpenGateRequest, 'channels' | 'approvers'>,
): Promise<void> {
	for (const channel of request.channels ?? []) {
		const { type } = asObject(channel);
		for (const target of targetsOf(channel, request.approvers ?? [])) {
			const deliveryRef = await insertDelivery(
				queries,
				NAMESPACE,
				gateRef,
				type,
				target,
				shortId(),
			);
			await insertOutbox(queries, NAMESPACE, deliveryRef, 'gate');
		}
	}
}

/**
 * Owes every message of a gate its outcome, in the transaction that settles the gate. Called again
 * when the outcome turns out to have had no effect: what is shown is read when it is sent.
 * Notify MESSAGES_OWED after the commit.
 */
export async function enqueueGateOutcome(queries: Queries, gateRef: number): Promise<void> {
	for (const delivery of await deliveriesOfGate(queries, gateRef))
		await insertOutbox(queries, NAMESPACE, delivery.id, 'outcome');
}

function asObject(channel: Channel): Exclude<Channel, string> {
	return typeof channel === 'string' ? { type: channel } : channel;
}

function targetsOf(channel: Channel, approvers: readonly Approver[]): DeliveryTarget[] {
	const { type, to, threadId } = asObject(channel);
	const thread = threadId === undefined ? {} : { threadId };
	if (type !== 'telegram') return [{ ...(to !== undefined && { to }), ...thread }];
	// A private chat has the id of its person.
	const inPerson = approvers.flatMap(({ telegramId }, approver) =>
		telegramId === undefined ? [] : [{ to: String(telegramId), approver }],
	);
	if (to !== undefined) return [{ ...inPerson.find((person) => person.to === to), to, ...thread }];
	return inPerson.length > 0 ? inPerson : [thread];
}

/** 16 characters: Telegram's callback data holds 64 bytes. Random, so that it cannot be guessed. */
function shortId(): string {
	return randomBytes(12).toString('base64url');
}
