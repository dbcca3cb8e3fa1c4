import type { Queries } from './database';

export interface AuditRow {
	seq: number;
	at: number;
	type: string;
	subject: string | null;
	data_json: string;
	hash: string;
}

export async function insertAuditRow(
	queries: Queries,
	runRef: number,
	row: AuditRow,
): Promise<void> {
	await queries.run(
		'INSERT INTO audit_events (run_ref, seq, at, type, subject, data_json, hash) VALUES (?, ?, ?, ?, ?, ?, ?)',
		runRef,
		row.seq,
		row.at,
		row.type,
		row.subject,
		row.data_json,
		row.hash,
	);
	await queries.run(
		'UPDATE runs SET audit_seq = ?, audit_hash = ?, updated_at = ? WHERE id = ?',
		row.seq,
		row.hash,
		row.at,
		runRef,
	);
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
