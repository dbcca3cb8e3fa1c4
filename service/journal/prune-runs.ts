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

/** What this process has removed since its start, for the metrics. */
export interface RetentionCounts {
	runsPruned: number;
	tombstonesRemoved: number;
}

/**
 * Prunes what is older than the retention time: runs whole, leaving a tombstone and the audit, and
 * later those too. Never a run that somebody waits for or that holds an open question: an open gate,
 * an execution to be woken, an attempt under way, a step in doubt. Each run goes in transactions of
 * bounded size, and any number of processes may do this at the same time.
 * @param goOn awaited between two transactions, which is where requests get their turn; false ends
 *   it early, and the next call goes on
 */
export async function pruneRuns(
	journal: Journal,
	{ runMs, auditMs }: Retention,
	counts: RetentionCounts,
	goOn: () => Promise<boolean>,
): Promise<void> {
	await finishRemovals(journal, goOn);
	if (runMs !== undefined) await prune(journal, runMs, counts, goOn);
	if (auditMs !== undefined) await forget(journal, auditMs, counts, goOn);
}

/** Removals that a crash or a stop cut short. */
async function finishRemovals(journal: Journal, goOn: () => Promise<boolean>): Promise<void> {
	const runRefs = await journal.database.read(
		async (queries) => await listUnfinishedRemovals(queries, RUNS_PER_READ),
	);
	for (const runRef of runRefs) await removeLeftovers(journal, runRef, goOn);
}

/**
 * Walks the runs in the order in which they were begun, up to the first that is too young in any
 * case. No index on the last activity: every claim and every report would have to move an entry.
 */
async function prune(
	journal: Journal,
	runMs: number,
	counts: RetentionCounts,
	goOn: () => Promise<boolean>,
): Promise<void> {
	for (let after = 0; ;) {
		const { rows, before, now } = await journal.database.read(async (queries) => ({
			rows: await listRunRowsFrom(queries, after, RUNS_PER_READ),
			before: queries.now - runMs,
			now: queries.now,
		}));
		for (const run of rows) {
			// Begun in the future: the clock was wrong for a while, and older runs may follow.
			if (run.created_at >= before && run.created_at <= now) return;
			after = run.id;
			if (run.updated_at >= before) continue;
			if (!(await goOn())) return;
			if (await pruneRun(journal, run, runMs, goOn)) counts.runsPruned += 1;
		}
		if (rows.length < RUNS_PER_READ || !(await goOn())) return;
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
	counts: RetentionCounts,
	goOn: () => Promise<boolean>,
): Promise<void> {
	for (;;) {
		const runRefs = await journal.database.read(
			async (queries) => await listOldTombstones(queries, queries.now - auditMs, RUNS_PER_READ),
		);
		for (const runRef of runRefs) {
			do if (!(await goOn())) return;
			while (!(await forgetSome(journal, runRef)));
			counts.tombstonesRemoved += 1;
		}
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
