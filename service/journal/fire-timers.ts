import type { Queries } from '../store/database';
import { findGate } from '../store/gates';
import { findRunByRef, type RunRow } from '../store/runs';
import { listDueTimers, nextTimerDueAt, takeTimer, type TimerRow } from '../store/timers';
import { runFenced, signalSettledGates } from './topics';
import { NAMESPACE, type Journal } from './journal';
import { remindOfGate } from './remind-of-gate';
import { settleByDeadlines } from './settle-by-deadline';

const MAX_TIMERS_PER_TRANSACTION = 100;

/**
 * Fires every timer that is due, each once: it goes in the transaction that does what it is for.
 * What fell due while the journal was down fires now.
 * @returns when the next timer is due (milliseconds since the epoch), or undefined
 */
export async function fireTimers(journal: Journal): Promise<number | undefined> {
	for (;;) {
		const due = await journal.database.read(
			async (queries) => await listDueTimers(queries, NAMESPACE, MAX_TIMERS_PER_TRANSACTION),
		);
		if (due.length === 0)
			return await journal.database.read((queries) => nextTimerDueAt(queries, NAMESPACE));
		const about = due.map(({ subject }) => ({ gateId: subject }));
		const runs = await journal.database.write(about, async (queries) => {
			const fired: RunRow[] = [];
			for (const timer of due)
				if (await takeTimer(queries, NAMESPACE, timer)) fired.push(...(await fire(queries, timer)));
			return fired;
		});
		signalSettledGates(journal.signals);
		for (const run of runs)
			if (run.state === 'cancelled') journal.signals.notify(runFenced(run.run_id));
	}
}

/** @returns the run that it was about, as it is now */
async function fire(queries: Queries, timer: TimerRow): Promise<RunRow[]> {
	const found = await findGate(queries, NAMESPACE, timer.subject);
	const run = found && (await findRunByRef(queries, found.run_ref));
	if (!run) return [];
	// Also before a reminder: nobody is reminded of what a deadline has settled or passed on.
	await settleByDeadlines(queries, run);
	if (timer.kind === 'gate_reminder') {
		const gate = await findGate(queries, NAMESPACE, timer.subject);
		if (gate?.state === 'open') await remindOfGate(queries, run, gate);
	}
	return [run];
}
