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

export async function insertTombstone(
	queries: Queries,
	namespace: string,
	runIdSha256: string,
	runRef: number,
	kind: TombstoneRow['kind'],
): Promise<void> {
	await queries.run(
		'INSERT INTO tombstones (namespace, run_id_sha256, run_ref, kind, at) VALUES (?, ?, ?, ?, ?)',
		namespace,
		runIdSha256,
		runRef,
		kind,
		queries.now,
	);
}
