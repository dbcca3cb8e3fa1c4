import type { DecisionWord } from '../contract/gates';
import type { ShownGate } from '../domain/shown-gate';
import {
	deliveryByShortId,
	type DeliveryRow,
	type DeliveryTarget,
	markDelivered,
} from '../store/deliveries';
import { findGateByRef } from '../store/gates';
import { insertOutbox } from '../store/outbox';
import { frozenRequest } from './describe-gate';
import { MESSAGES_OWED } from './topics';
import { type Journal, NAMESPACE } from './journal';
import { shownGate } from './show-gate';

/** A chat button that a person pressed. */
export interface ButtonPress {
	readonly shortId: string;
	readonly word: DecisionWord;
	/** Every way in which the chat could have been named when the message was sent. */
	readonly chatNames: readonly string[];
	/** The chat's number. */
	readonly chatId: string;
	readonly messageId: string;
	readonly from: { readonly id: number; readonly name: string };
}

export type PressVerdict =
	/** This person may decide it, under this name. */
	| { readonly kind: 'allowed'; readonly gateId: string; readonly by: string }
	| { readonly kind: 'closed'; readonly gate: ShownGate }
	| { readonly kind: 'not_yours' }
	| { readonly kind: 'unknown' };

/**
 * Who pressed what, and may they? Only from the chat the message was sent to, and where approvers
 * are named only by one of them, whom the channel knows by number. Changes nothing.
 */
export async function judgePress(journal: Journal, press: ButtonPress): Promise<PressVerdict> {
	return await journal.database.read(async (queries) => {
		const delivery = await deliveryByShortId(queries, NAMESPACE, press.shortId);
		const row = delivery && (await findGateByRef(queries, delivery.gate_ref));
		if (!delivery || !row || !sameChat(delivery, press)) return { kind: 'unknown' };
		const { approvers } = await frozenRequest(queries, row);
		const approver = approvers?.find(({ telegramId }) => telegramId === press.from.id);
		if (approvers && !approver) return { kind: 'not_yours' };
		if (row.state !== 'open') return { kind: 'closed', gate: await shownGate(queries, row) };
		return { kind: 'allowed', gateId: row.gate_id, by: approver?.name ?? press.from.name };
	});
}

/**
 * The pressed message is the one to show the outcome in. It may be another than the recorded one:
 * a sending whose answer was lost is repeated, and then there are two.
 */
export async function recordPressedMessage(
	journal: Journal,
	press: ButtonPress,
	gateId: string,
): Promise<void> {
	await journal.database.write([{ gateId }], async (queries) => {
		const delivery = await deliveryByShortId(queries, NAMESPACE, press.shortId);
		if (!delivery || delivery.message_id === press.messageId) return;
		const target = { ...targetOf(delivery), to: press.chatId };
		await markDelivered(queries, delivery.id, press.messageId, target);
		const gate = await findGateByRef(queries, delivery.gate_ref);
		if (gate?.state !== 'open') await insertOutbox(queries, NAMESPACE, delivery.id, 'outcome');
	});
	journal.signals.notify(MESSAGES_OWED);
}

function sameChat(delivery: DeliveryRow, { chatNames }: ButtonPress): boolean {
	const { to } = targetOf(delivery);
	// Undefined: sent to the default chat, but the answer that names it was lost. The short id is
	// random and was sent nowhere else.
	return to === undefined || chatNames.includes(to);
}

function targetOf(delivery: DeliveryRow): DeliveryTarget {
	return JSON.parse(delivery.target_json) as DeliveryTarget;
}
