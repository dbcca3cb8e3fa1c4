import type { DecisionWord, Language } from '../contract/gates';
import { entitlement, type Claimant, type NotEntitled } from '../domain/authority';
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
import { gateAuthority } from './gate-authority';
import { MESSAGES_OWED } from './topics';
import { type Journal, NAMESPACE } from './journal';
import { shownGate } from './show-gate';

/** A chat button that a person pressed. */
export interface ButtonPress {
	readonly shortId: string;
	readonly word: DecisionWord;
	/** Every way in which the chat could have been named when the message was sent. */
	readonly chatNames: readonly string[];
	/** The chat's own id. */
	readonly chatId: string;
	readonly messageId: string;
	readonly from: Extract<Claimant, { via: 'telegram' | 'slack' }>;
}

export type PressVerdict =
	| { readonly kind: 'allowed'; readonly gateId: string }
	| { readonly kind: 'closed'; readonly gate: ShownGate }
	/** Deciding is tried all the same: the attempt belongs into the audit. */
	| {
			readonly kind: 'not_entitled';
			readonly gateId: string;
			readonly because: NotEntitled;
			readonly language: Language | undefined;
	  }
	| { readonly kind: 'unknown' };

/**
 * Who pressed what, and may they? Only from the chat the message was sent to, and where approvers
 * are named only by one of them, whom the channel knows by an id. Changes nothing.
 */
export async function judgePress(journal: Journal, press: ButtonPress): Promise<PressVerdict> {
	return await journal.database.read(async (queries) => {
		const delivery = await deliveryByShortId(queries, NAMESPACE, press.shortId);
		const row = delivery && (await findGateByRef(queries, delivery.gate_ref));
		if (!delivery || !row || !isPressedThere(delivery, press)) return { kind: 'unknown' };
		const gateId = row.gate_id;
		const request = await frozenRequest(queries, row);
		const entitled = entitlement(gateAuthority(request, row), press.from);
		if ('refusedBecause' in entitled)
			return {
				kind: 'not_entitled',
				gateId,
				because: entitled.refusedBecause,
				language: request.language,
			};
		if (row.state !== 'open') return { kind: 'closed', gate: await shownGate(queries, row) };
		return { kind: 'allowed', gateId };
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

function isPressedThere(delivery: DeliveryRow, { chatNames, from }: ButtonPress): boolean {
	if (delivery.channel !== from.via) return false;
	const { to } = targetOf(delivery);
	// Undefined: sent to the default chat, but the answer that names it was lost. The short id is
	// random and was sent nowhere else.
	return to === undefined || chatNames.includes(to);
}

function targetOf(delivery: DeliveryRow): DeliveryTarget {
	return JSON.parse(delivery.target_json) as DeliveryTarget;
}
