import type { Queries } from './database';

export interface TombstoneRow {
	run_ref: number;
	kind: 'erased' | 'pruned';
}

/** Tombstones keep only a hash: the run id itself may be what had to be erased. */
export async function findTombstone(
	queries: Queries,
	namespace: string,
	runIdSha256: string,
): Promise<TombstoneRow | undefined> {
	return await queries.get<TombstoneRow>(
		'SELECT run_ref, kind FROM tombstones WHERE namespace = ? AND run_id_sha256 = ?',
		namespace,
		runIdSha256,
	);
}

/** Of a run whose rows in other tables are still to be removed, until finishTombstone. */
export async function insertTombstone(
	queries: Queries,
	namespace: string,
	runIdSha256: string,
	runRef: number,
	kind: TombstoneRow['kind'],
): Promise<void> {
	await queries.run(
		`INSERT INTO tombstones (namespace, run_id_sha256, run_ref, kind, at, unfinished)
		 VALUES (?, ?, ?, ?, ?, 1)`,
		namespace,
		runIdSha256,
		runRef,
		kind,
		queries.now,
	);
}

/** Runs that are gone but of which rows are left in other tables: a removal goes on, or was cut short. */
export async function listUnfinishedRemovals(queries: Queries, limit: number): Promise<number[]> {
	const rows = await queries.all<{ run_ref: number }>(
		'SELECT run_ref FROM tombstones WHERE unfinished = 1 ORDER BY run_ref LIMIT ?',
		limit,
	);
	return rows.map((row) => row.run_ref);
}

/** Nothing is left of the run, unless another process is removing it at this moment. */
export async function finishTombstone(queries: Queries, runRef: number): Promise<void> {
	await queries.run(
		`UPDATE tombstones SET unfinished = 0 WHERE unfinished = 1 AND run_ref = ?
			AND NOT EXISTS (SELECT 1 FROM steps WHERE steps.run_ref = tombstones.run_ref)
			AND NOT EXISTS (SELECT 1 FROM slots WHERE slots.run_ref = tombstones.run_ref)
			AND NOT EXISTS (SELECT 1 FROM guards WHERE guards.run_ref = tombstones.run_ref)
			AND NOT EXISTS (SELECT 1 FROM gates WHERE gates.run_ref = tombstones.run_ref)`,
		runRef,
	);
}

/** Finished tombstones from before an instant (milliseconds since the epoch), oldest first. */
export async function listOldTombstones(
	queries: Queries,
	before: number,
	limit: number,
): Promise<number[]> {
	const rows = await queries.all<{ run_ref: number }>(
		'SELECT run_ref FROM tombstones WHERE at < ? AND unfinished = 0 ORDER BY at LIMIT ?',
		before,
		limit,
	);
	return rows.map((row) => row.run_ref);
}

export async function removeTombstone(queries: Queries, runRef: number): Promise<void> {
	await queries.run('DELETE FROM tombstones WHERE run_ref = ?', runRef);
}
