import type { Queries } from './database';

export interface AuditRow {
	seq: number;
	at: number;
	type: string;
	subject: string | null;
	data_json: string;
	hash: string;
}

/** What stands in the run's own row beside its chain, and is written with each event of it. */
export interface RunCounts {
	step_count: number;
	gate_count: number;
}

export async function insertAuditRow(
	queries: Queries,
	runRef: number,
	row: AuditRow,
	counts: RunCounts,
): Promise<void> {
	queries.send(
		'INSERT INTO audit_events (run_ref, seq, at, type, subject, data_json, hash) VALUES (?, ?, ?, ?, ?, ?, ?)',
		runRef,
		row.seq,
		row.at,
		row.type,
		row.subject,
		row.data_json,
		row.hash,
	);
	queries.send(
		`UPDATE runs SET audit_seq = ?, audit_hash = ?, updated_at = ?, step_count = ?, gate_count = ?
		 WHERE id = ?`,
		row.seq,
		row.hash,
		row.at,
		counts.step_count,
		counts.gate_count,
		runRef,
	);
}

/**
 * Removes up to `limit` events of a run, the newest first, so that what is left is a whole chain.
 * @returns how many
 */
export async function removeAuditRows(
	queries: Queries,
	runRef: number,
	limit: number,
): Promise<number> {
	const { changes } = await queries.run(
		`DELETE FROM audit_events WHERE run_ref = ? AND seq >
			(SELECT max(seq) FROM audit_events WHERE run_ref = ?) - ?`,
		runRef,
		runRef,
		limit,
	);
	return changes;
}

export async function listAuditRows(
	queries: Queries,
	runRef: number,
	after: number,
	limit: number,
): Promise<AuditRow[]> {
	return await queries.all<AuditRow>(
		`SELECT seq, at, type, subject, data_json, hash FROM audit_events
		 WHERE run_ref = ? AND seq > ? ORDER BY seq LIMIT ?`,
		runRef,
		after,
		limit,
	);
}
