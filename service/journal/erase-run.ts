import { sha256Hex } from '../domain/key';
import { isRunAwaited } from '../store/gate-waiters';
import { deleteRunRow, findRun } from '../store/runs';
import { deleteStepsOfRun } from '../store/steps';
import { insertTombstone } from '../store/tombstones';
import { appendAudit } from './append-audit';
import { eraseGatesOfRun } from './erase-gates-of-run';
import { NAMESPACE, type Journal } from './journal';
import { JournalProblem, orThrow } from './problem';

/**
 * Removes a run with all its payloads. A tombstone stays, so that a late claim does not begin the
 * work again, and the audit chain stays, since it holds no names and no content.
 * @throws JournalProblem not_found; run_awaited while an execution would be left waiting for ever
 */
export async function eraseRun(journal: Journal, runId: string): Promise<void> {
	const answer = await journal.database.write([{ runId }], async (queries) => {
		const run = await findRun(queries, NAMESPACE, runId);
		if (!run) return new JournalProblem('not_found', {}, `There is no run "${runId}"`);
		if (await isRunAwaited(queries, run.id)) return new JournalProblem('run_awaited');
		await appendAudit(queries, run, 'run.erased', undefined);
		await insertTombstone(queries, NAMESPACE, sha256Hex(runId), run.id, 'erased');
		await eraseGatesOfRun(queries, run.id);
		await deleteStepsOfRun(queries, run.id);
		await deleteRunRow(queries, run.id);
		return undefined;
	});
	orThrow(answer);
}
