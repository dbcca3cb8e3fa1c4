import { MESSAGES_OWED } from '../journal/topics';
import type { Journal } from '../journal/journal';
import type { Deliver, DeliveryOutcome, OutboxMessage } from '../journal/outbox-message';
import {
	nextMessageDueAt,
	reclaimMessages,
	recordDelivery,
	takeDueMessages,
} from '../journal/record-delivery';
import { loop } from './loop';
import type { WorkerLog } from './worker-log';

/** Sent at the same time; one slow chat must not hold up all others. */
const AT_ONCE = 8;
/** When the service stops, what is on its way gets this long: an aborted sending may be sent again. */
const GRACE_MS = 3_000;

/**
 * Sends what is owed until the abort: at once after the change that owes it, and by due time for
 * what was left by a failure or a stop.
 * @param now the clock, milliseconds since the epoch
 */
export async function runOutbox(
	journal: Journal,
	deliver: Deliver,
	now: () => number,
	log: WorkerLog,
	signal: AbortSignal,
): Promise<void> {
	// Where others share the store, what is taken may be in their hands.
	if (!journal.database.shared)
		await reclaimMessages(journal).catch((err: unknown) =>
			log.error({ err }, 'what an earlier process left is sent a minute later'),
		);
	await loop({
		name: 'outbox',
		work: async () => await sendDueMessages(journal, deliver, log, signal),
		signals: journal.signals,
		topic: MESSAGES_OWED,
		now,
		log,
		signal,
	});
}

/**
 * Sends every message that is due. What was taken is not taken by anybody else; but when the answer
 * to a sending is lost, or the process dies between sending and recording it, the message is sent
 * again: a chat may then show a gate twice, and both messages lead to the same one decision.
 * @returns when the next message is due (milliseconds since the epoch), or undefined
 */
export async function sendDueMessages(
	journal: Journal,
	deliver: Deliver,
	log: WorkerLog,
	signal: AbortSignal,
): Promise<number | undefined> {
	const patience = new AbortController();
	const hurry = () => void setTimeout(() => patience.abort(), GRACE_MS).unref();
	signal.addEventListener('abort', hurry, { once: true });
	while (!signal.aborted) {
		const { taken, messages } = await takeDueMessages(journal, AT_ONCE);
		await Promise.all(
			messages.map((message) => send(journal, deliver, log, patience.signal, message)),
		);
		if (taken < AT_ONCE) break;
	}
	signal.removeEventListener('abort', hurry);
	return await nextMessageDueAt(journal);
}

async function send(
	journal: Journal,
	deliver: Deliver,
	log: WorkerLog,
	signal: AbortSignal,
	message: OutboxMessage,
): Promise<void> {
	let outcome: DeliveryOutcome;
	try {
		outcome = await deliver(message, signal);
	} catch (err) {
		log.error({ err, channel: message.channel }, 'a channel failed unexpectedly');
		outcome = { kind: 'again', code: 'unexpected' };
	}
	const state = await recordDelivery(journal, message, outcome);
	if (outcome.kind === 'sent') return;
	log.warn(
		{ gateId: message.gate.gateId, channel: message.channel, code: outcome.code, state },
		state === 'failed' ? 'a message could not be delivered' : 'a message will be tried again',
	);
}
