import type { Journal } from '../journal/journal';
import { GATES_DECIDED } from '../journal/topics';
import {
	makeWakeUpsDue,
	nextWakeUpDueAt,
	recordWakeUp,
	takeDueWakeUps,
	type Wake,
	type WakeUp,
} from '../journal/wake-up';
import { loop } from './loop';
import type { WorkerLog } from './worker-log';

/** Called at the same time; n8n that does not answer must not hold up the others. */
const AT_ONCE = 8;

/**
 * Wakes waiting executions until the abort: at once after a decision, and by due time for what was
 * left by a failure or a stop. No connection is kept for a gate that is not decided.
 */
export async function runWakeUps(
	journal: Journal,
	wake: Wake,
	now: () => number,
	log: WorkerLog,
	signal: AbortSignal,
): Promise<void> {
	const calls = new Set<Promise<void>>();
	const call = (wakeUp: WakeUp) => {
		const done = callAndRecord(journal, wake, log, signal, wakeUp).finally(() => {
			calls.delete(done);
			journal.signals.notifyHere(GATES_DECIDED);
		});
		calls.add(done);
	};
	let begun = false;
	await loop({
		name: 'wake-ups',
		work: async () => {
			if (!begun && !journal.database.shared) await makeWakeUpsDue(journal);
			begun = true;
			for (const wakeUp of await takeDueWakeUps(journal, AT_ONCE - calls.size)) call(wakeUp);
			// The end of a call signals that there is room again.
			return calls.size < AT_ONCE ? await nextWakeUpDueAt(journal) : undefined;
		},
		signals: journal.signals,
		topic: GATES_DECIDED,
		now,
		log,
		signal,
	});
	await Promise.all(calls);
}

async function callAndRecord(
	journal: Journal,
	wake: Wake,
	log: WorkerLog,
	signal: AbortSignal,
	{ waiter, gateId, resumeUrl }: WakeUp,
): Promise<void> {
	try {
		const answer =
			resumeUrl === undefined
				? { reply: 'unreadable' as const, status: null }
				: await wake(resumeUrl, gateId, signal);
		const state = await recordWakeUp(journal, waiter, answer);
		const facts = { gateId, state, status: answer.status, attempt: waiter.attempts };
		if (state === 'gone')
			log.warn(facts, 'no execution is left to wake: the decision had no effect');
		else if (state === 'done') log.info(facts, 'an execution was woken');
	} catch (err) {
		// It stays taken for a while and is then tried again.
		log.error({ err, gateId }, 'a wake-up could not be recorded');
	}
}
