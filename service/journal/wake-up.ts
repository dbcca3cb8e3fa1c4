import { openSealedText, derivedKey } from '../domain/sealed-text';
import { judgeWakeUp, type WakeReply } from '../domain/wake-up';
import type { Queries } from '../store/database';
import {
	makePendingWaitersDue,
	nextWaiterDueAt,
	saveWaiterOutcome,
	takeDueWaiters,
	type DueWaiterRow,
	type WaiterOutcome,
} from '../store/gate-waiters';
import { findGateByRef } from '../store/gates';
import { enqueueGateOutcome } from './enqueue-messages';
import { MESSAGES_OWED } from './topics';
import type { Journal } from './journal';

/** Longer than a call can take: whoever took a wake-up and died leaves it to be taken again. */
const TAKEN_FOR_MS = 45_000;

/** An execution to be told that its gate is final. */
export interface WakeUp {
	readonly waiter: DueWaiterRow;
	readonly gateId: string;
	/** A secret; undefined when it cannot be read any more, since JOURNAL_SECRET is another one. */
	readonly resumeUrl: string | undefined;
}

/** Calls a resume URL. `status` is null when there was no answer. */
export type Wake = (
	resumeUrl: string,
	gateId: string,
	signal: AbortSignal,
) => Promise<{ reply: WakeReply; status: number | null }>;

/**
 * Makes every wake-up that is owed due now. After a start: what the last process had taken is known
 * to be in nobody's hands, and n8n may have come back together with the journal. Not where another
 * process may have one in hand: the second call would find the execution gone.
 */
export async function makeWakeUpsDue(journal: Journal): Promise<void> {
	await journal.database.write([], makePendingWaitersDue);
}

/** Takes up to `limit` wake-ups that are due; nobody else gets them meanwhile. */
export async function takeDueWakeUps(journal: Journal, limit: number): Promise<WakeUp[]> {
	// Asked far more often than anything is due: look before writing.
	const due = await journal.database.read(async (queries) => {
		const at = await nextWaiterDueAt(queries);
		return at !== undefined && at <= queries.now;
	});
	if (!due || limit < 1) return [];
	const key = derivedKey(journal.secret, 'resume-url');
	return await journal.database.write([], async (queries) => {
		const waiters = await takeDueWaiters(queries, limit, TAKEN_FOR_MS);
		const wakeUps: WakeUp[] = [];
		for (const waiter of waiters) {
			const gate = (await findGateByRef(queries, waiter.gate_ref))!;
			const resumeUrl = openSealedText(key, waiter.resume_url_encrypted);
			wakeUps.push({ waiter, gateId: gate.gate_id, resumeUrl });
		}
		return wakeUps;
	});
}

/**
 * Records what n8n answered, and when it is asked again. Where nobody is left to wake, the gate's
 * messages are owed the news that its decision had no effect.
 * @param reply `unreadable` when the resume URL could not be decrypted
 */
export async function recordWakeUp(
	journal: Journal,
	waiter: DueWaiterRow,
	{ reply, status }: { reply: WakeReply | 'unreadable'; status: number | null },
): Promise<WaiterOutcome['state']> {
	const state = await journal.database.write([{ gateRef: waiter.gate_ref }], async (queries) => {
		const outcome = outcomeOf(queries, waiter, reply, status, journal.random());
		const saved = await saveWaiterOutcome(queries, waiter, outcome);
		if (saved && outcome.state === 'gone') await enqueueGateOutcome(queries, waiter.gate_ref);
		return outcome.state;
	});
	if (state === 'gone') journal.signals.notify(MESSAGES_OWED);
	return state;
}

/** When the next wake-up is due, milliseconds since the epoch, or undefined. */
export async function nextWakeUpDueAt(journal: Journal): Promise<number | undefined> {
	return await journal.database.read(nextWaiterDueAt);
}

function outcomeOf(
	queries: Queries,
	waiter: DueWaiterRow,
	reply: WakeReply | 'unreadable',
	status: number | null,
	random: number,
): WaiterOutcome {
	const facts = {
		attempts: waiter.attempts,
		pendingSince: waiter.pending_since,
		missingSince: waiter.missing_since,
		toldAtOpen: waiter.told_at_open === 1,
	};
	const judged =
		reply === 'unreadable'
			? { state: 'gone' as const }
			: judgeWakeUp(reply, facts, queries.now, random);
	return judged.state === 'pending'
		? { ...judged, status }
		: { state: judged.state, status, missingSince: null, nextAttemptAt: null };
}
