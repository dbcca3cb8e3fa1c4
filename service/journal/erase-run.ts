import { isRunAwaited } from '../store/gate-waiters';
import { findRun } from '../store/runs';
import { NAMESPACE, type Journal } from './journal';
import { JournalProblem, orThrow } from './problem';
import { buryRun, removeLeftovers } from './remove-run';
import { settleByDeadlines } from './settle-by-deadline';
import { runFenced, signalSettledGates } from './topics';

/**
 * Removes a run with all its payloads. A tombstone stays, so that a late claim does not begin the
 * work again, and the audit chain stays, since it holds no names and no content. It is not seen any
 * more from the first transaction on, and gone from the store when this returns; where the process
 * dies in between, the rest is removed after the next start.
 * @throws JournalProblem not_found; run_awaited while an execution would be left waiting for ever
 */
export async function eraseRun(journal: Journal, runId: string): Promise<void> {
	const answer = await journal.database.write([{ runId }], async (queries) => {
		const run = await findRun(queries, NAMESPACE, runId);
		if (!run) return new JournalProblem('not_found', {}, `There is no run "${runId}"`);
		await settleByDeadlines(queries, run);
		if (await isRunAwaited(queries, run.id)) return new JournalProblem('run_awaited');
		return { runRef: run.id, leftovers: await buryRun(queries, run, 'erased') };
	});
	signalSettledGates(journal.signals);
	journal.signals.notify(runFenced(runId));
	const { runRef, leftovers } = orThrow(answer);
	if (leftovers) await removeLeftovers(journal, runRef, async () => true);
}
