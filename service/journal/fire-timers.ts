import type { Queries } from '../store/database';
import { findGate } from '../store/gates';
import { nextTimerDueAt, takeDueTimers, type TimerRow } from '../store/timers';
import { MESSAGES_OWED } from './enqueue-messages';
import { NAMESPACE, type Journal } from './journal';
import { settleByDeadline } from './settle-by-deadline';
import { GATES_DECIDED } from './signals';

const MAX_TIMERS_PER_TRANSACTION = 100;

/**
 * Fires every timer that is due, each once: it goes in the transaction that does what it is for.
 * What fell due while the journal was down fires now.
 * @returns when the next timer is due, milliseconds from now, or undefined when there is none
 */
export async function fireTimers(journal: Journal): Promise<number | undefined> {
	for (;;) {
		const { fired, dueIn } = await journal.database.write(async (queries) => {
			const timers = await takeDueTimers(queries, NAMESPACE, MAX_TIMERS_PER_TRANSACTION);
			for (const timer of timers) await fire(queries, timer);
			const next = await nextTimerDueAt(queries, NAMESPACE);
			return { fired: timers.length, dueIn: next === undefined ? undefined : next - queries.now };
		});
		if (fired > 0)
			for (const topic of [GATES_DECIDED, MESSAGES_OWED]) journal.signals.notify(topic);
		if (dueIn === undefined || dueIn > 0) return dueIn;
	}
}

async function fire(queries: Queries, timer: TimerRow): Promise<void> {
	switch (timer.kind) {
		case 'gate_deadline': {
			const gate = await findGate(queries, NAMESPACE, timer.subject);
			if (gate) await settleByDeadline(queries, gate);
		}
	}
}
