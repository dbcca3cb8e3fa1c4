import { AUDIT_GENESIS } from '../domain/audit-chain';
import { sha256Hex } from '../domain/key';
import type { Queries } from '../store/database';
import { findRun, insertRun, type RunRow } from '../store/runs';
import { findTombstone } from '../store/tombstones';
import { appendAudit } from './append-audit';
import { NAMESPACE } from './journal';
import { JournalProblem } from './problem';
import { runCancelled } from './run-problem';

/**
 * The run of that id, begun if it is new. A problem when it was erased, pruned or cancelled.
 * @param looked what the caller found, where it has looked already
 */
export async function enterRun(
	queries: Queries,
	runId: string,
	looked?: { found: RunRow | undefined },
): Promise<RunRow | JournalProblem> {
	const { found } = looked ?? { found: await findRun(queries, NAMESPACE, runId) };
	const run = found ?? (await beginRun(queries, runId));
	if (run instanceof JournalProblem || run.state !== 'cancelled') return run;
	return runCancelled(run);
}

/** As enterRun, but a cancelled run is let through. */
export async function findOrBeginRun(
	queries: Queries,
	runId: string,
): Promise<RunRow | JournalProblem> {
	const known = await findRun(queries, NAMESPACE, runId);
	return known ?? (await beginRun(queries, runId));
}

async function beginRun(queries: Queries, runId: string): Promise<RunRow | JournalProblem> {
	const gone = await goneProblem(queries, runId);
	if (gone) return gone;
	const run = await insertRun(queries, NAMESPACE, runId, AUDIT_GENESIS);
	await appendAudit(queries, run, 'run.started', undefined);
	return run;
}

/** Why a run that has no row may not be begun: it was erased or pruned. */
export async function goneProblem(
	queries: Queries,
	runId: string,
): Promise<JournalProblem | undefined> {
	const tombstone = await findTombstone(queries, NAMESPACE, sha256Hex(runId));
	return tombstone && new JournalProblem(`run_${tombstone.kind}`);
}
