import { AUDIT_GENESIS } from '../domain/audit-chain';
import { sha256Hex } from '../domain/key';
import type { Queries } from '../store/database';
import { findRun, insertRun, type RunRow } from '../store/runs';
import { findTombstone } from '../store/tombstones';
import { appendAudit } from './append-audit';
import { NAMESPACE } from './journal';
import { JournalProblem } from './problem';

/** The run of that id, begun if it is new. A problem when it was erased, pruned or cancelled. */
export async function enterRun(queries: Queries, runId: string): Promise<RunRow | JournalProblem> {
	const run = await findOrBeginRun(queries, runId);
	if (run instanceof JournalProblem || run.state !== 'cancelled') return run;
	return new JournalProblem(
		'run_cancelled',
		{},
		`Run "${runId}" was cancelled by ${run.cancelled_by}: ${run.cancelled_reason}`,
	);
}

/** As enterRun, but a cancelled run is let through. */
export async function findOrBeginRun(
	queries: Queries,
	runId: string,
): Promise<RunRow | JournalProblem> {
	const known = await findRun(queries, NAMESPACE, runId);
	if (known) return known;
	const tombstone = await findTombstone(queries, NAMESPACE, sha256Hex(runId));
	if (tombstone) return new JournalProblem(`run_${tombstone.kind}`);
	const run = await insertRun(queries, NAMESPACE, runId, AUDIT_GENESIS);
	await appendAudit(queries, run, 'run.started', undefined);
	return run;
}
