import { randomBytes } from 'node:crypto';
import type { Approver, Channel, ChannelName, OpenGateRequest } from '../contract/gates';
import { isSamePerson } from '../domain/authority';
import type { Queries } from '../store/database';
import { type DeliveryTarget, deliveriesOfGate, insertDelivery } from '../store/deliveries';
import { insertOutbox } from '../store/outbox';
import { NAMESPACE } from './journal';

/** To whom the messages go. */
interface Asked {
	/** 0: those who are asked first; 1: those the gate is passed on to. */
	readonly stage: number;
	/** How many approvers were named before these: a decision token holds the index among all. */
	readonly before: number;
}

/** The account under which a channel reaches a person alone. */
const ACCOUNT = {
	telegram: ({ telegramId }) => telegramId?.toString(),
	slack: ({ slackId }) => slackId,
	email: ({ email }) => email,
} satisfies Record<ChannelName, (approver: Approver) => string | undefined>;

/**
 * Owes the messages that show a gate, in the transaction that opens it or passes it on: one for each
 * channel, or one for each approver where the channel reaches them in person and no place was named.
 * Whose request it is may not decide, and is not asked. Notify MESSAGES_OWED after the commit.
 * @param gateRef `gates.id`
 */
export async function enqueueGateMessages(
	queries: Queries,
	gateRef: number,
	{
		channels = [],
		approvers = [],
		requester,
	}: Pick<OpenGateRequest, 'channels' | 'approvers' | 'requester'>,
	{ stage, before }: Asked = { stage: 0, before: 0 },
): Promise<void> {
	const asked = approvers
		.map((person, index) => ({ person, approver: before + index }))
		.filter(({ person }) => !isSamePerson(person, requester));
	for (const channel of channels) {
		const { type } = asObject(channel);
		for (const target of targetsOf(channel, asked)) {
			const deliveryRef = await insertDelivery(
				queries,
				NAMESPACE,
				gateRef,
				type,
				target,
				shortId(),
				stage,
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

/** Owes every message of an open gate what changed about it. Notify MESSAGES_OWED after the commit. */
export async function enqueueGateUpdate(queries: Queries, gateRef: number): Promise<void> {
	for (const delivery of await deliveriesOfGate(queries, gateRef))
		await insertOutbox(queries, NAMESPACE, delivery.id, 'update');
}

function asObject(channel: Channel): Exclude<Channel, string> {
	return typeof channel === 'string' ? { type: channel } : channel;
}

function targetsOf(
	channel: Channel,
	asked: ReadonlyArray<{ person: Approver; approver: number }>,
): DeliveryTarget[] {
	const { type, to, threadId } = asObject(channel);
	const thread = threadId === undefined ? {} : { threadId };
	const inPerson = asked.flatMap(({ person, approver }) => {
		const account = ACCOUNT[type](person);
		return account === undefined ? [] : [{ to: account, approver }];
	});
	if (to !== undefined) return [{ ...inPerson.find((person) => person.to === to), to, ...thread }];
	return inPerson.length > 0 ? inPerson : [thread];
}

/** 16 characters: Telegram's callback data holds 64 bytes. Random, so that it cannot be guessed. */
function shortId(): string {
	return randomBytes(12).toString('base64url');
}
