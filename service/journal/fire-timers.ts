import type { Queries } from '../store/database';
import { findGate } from '../store/gates';
import { nextTimerDueAt, takeDueTimers, type TimerRow } from '../store/timers';
import { signalSettledGates } from './topics';
import { NAMESPACE, type Journal } from './journal';
import { settleByDeadline } from './settle-by-deadline';

const MAX_TIMERS_PER_TRANSACTION = 100;

/**
 * Fires every timer that is due, each once: it goes in the transaction that does what it is for.
 * What fell due while the journal was down fires now.
 * @returns when the next timer is due (milliseconds since the epoch), or undefined
 */
export async function fireTimers(journal: Journal): Promise<number | undefined> {
	for (;;) {
		const next = await journal.database.read(async (queries) => {
			const at = await nextTimerDueAt(queries, NAMESPACE);
			return { at, due: at !== undefined && at <= queries.now };
		});
		if (!next.due) return next.at;
		await journal.database.write(async (queries) => {
			const timers = await takeDueTimers(queries, NAMESPACE, MAX_TIMERS_PER_TRANSACTION);
			for (const timer of timers) await fire(queries, timer);
		});
		signalSettledGates(journal.signals);
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
