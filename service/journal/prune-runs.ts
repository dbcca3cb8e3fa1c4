import { removeAuditRows } from '../store/audit';
import type { Queries } from '../store/database';
import { isRunAwaited } from '../store/gate-waiters';
import { findRunByRef, listRunRowsFrom, type RunRow } from '../store/runs';
import { isRunUnsettled } from '../store/step-lists';
import { listOldTombstones, listUnfinishedRemovals, removeTombstone } from '../store/tombstones';
import type { Journal } from './journal';
import { buryRun, removeLeftovers } from './remove-run';

const RUNS_PER_READ = 200;
const AUDIT_ROWS_PER_WRITE = 500;

export interface Retention {
	/** How long after its last activity a run is kept, milliseconds; undefined: for ever. */
	readonly runMs: number | undefined;
	/** How long after its removal its tombstone and its audit are kept; undefined: for ever. */
	readonly auditMs: number | undefined;
}

/**
 * Prunes what is older than the retention time: runs whole, leaving a tombstone and the audit, and
 * later those too. Never a run that somebody waits for or that holds an open question: an open gate,
 * an execution to be woken, an attempt under way, a step in doubt. Each run goes in transactions of
 * bounded size, and any number of processes may do this at the same time.
 * @param goOn awaited between two transactions, which is where requests get their turn; false ends
 *   it early, and the next call goes on
 * @returns how many runs were pruned
 */
export async function pruneRuns(
	journal: Journal,
	retention: Retention,
	goOn: () => Promise<boolean>,
): Promise<number> {
	await finishRemovals(journal, goOn);
	const pruned = retention.runMs === undefined ? 0 : await prune(journal, retention.runMs, goOn);
	if (retention.auditMs !== undefined) await forget(journal, retention.auditMs, goOn);
	return pruned;
}

/** Removals that a crash or a stop cut short. */
async function finishRemovals(journal: Journal, goOn: () => Promise<boolean>): Promise<void> {
	const runRefs = await journal.database.read(
		async (queries) => await listUnfinishedRemovals(queries, RUNS_PER_READ),
	);
	for (const runRef of runRefs) {
		if (!(await goOn())) return;
		await removeLeftovers(journal, runRef, goOn);
	}
}

/**
 * Walks the runs in the order in which they were begun, up to the first that is too young in any
 * case. No index on the last activity: every claim and every report would have to move an entry.
 */
async function prune(
	journal: Journal,
	runMs: number,
	goOn: () => Promise<boolean>,
): Promise<number> {
	let pruned = 0;
	for (let after = 0; ;) {
		const { rows, before } = await journal.database.read(async (queries) => ({
			rows: await listRunRowsFrom(queries, after, RUNS_PER_READ),
			before: queries.now - runMs,
		}));
		for (const run of rows) {
			if (run.created_at >= before) return pruned;
			after = run.id;
			if (run.updated_at >= before) continue;
			if (!(await goOn())) return pruned;
			if (await pruneRun(journal, run, runMs, goOn)) pruned += 1;
		}
		if (rows.length < RUNS_PER_READ || !(await goOn())) return pruned;
	}
}

async function pruneRun(
	journal: Journal,
	{ id, run_id: runId }: RunRow,
	runMs: number,
	goOn: () => Promise<boolean>,
): Promise<boolean> {
	const outcome = await journal.database.write([{ runId }], async (queries) => {
		const run = await findRunByRef(queries, id);
		if (!run || !(await mayPrune(queries, run, runMs))) return 'kept';
		return (await buryRun(queries, run, 'pruned')) ? 'begun' : 'gone';
	});
	if (outcome === 'begun') await removeLeftovers(journal, id, goOn);
	return outcome !== 'kept';
}

async function mayPrune(queries: Queries, run: RunRow, runMs: number): Promise<boolean> {
	if (run.updated_at >= queries.now - runMs) return false;
	return !(await isRunAwaited(queries, run.id)) && !(await isRunUnsettled(queries, run.id));
}

/** Tombstones and audits of runs that were removed long ago; the tombstone goes last. */
async function forget(
	journal: Journal,
	auditMs: number,
	goOn: () => Promise<boolean>,
): Promise<void> {
	for (;;) {
		const runRefs = await journal.database.read(
			async (queries) => await listOldTombstones(queries, queries.now - auditMs, RUNS_PER_READ),
		);
		for (const runRef of runRefs)
			do if (!(await goOn())) return;
			while (!(await forgetSome(journal, runRef)));
		if (runRefs.length < RUNS_PER_READ) return;
	}
}

/** @returns whether nothing is left of it */
async function forgetSome({ database }: Journal, runRef: number): Promise<boolean> {
	return await database.write([], async (queries) => {
		const removed = await removeAuditRows(queries, runRef, AUDIT_ROWS_PER_WRITE);
		if (removed === AUDIT_ROWS_PER_WRITE) return false;
		await removeTombstone(queries, runRef);
		return true;
	});
}
