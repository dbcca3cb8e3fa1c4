import type { Queries } from './database';

/** Begins a payload that nothing refers to yet. @returns its reference */
export async function insertDeposit(queries: Queries, textSha256: string): Promise<number> {
	const row = await queries.get<{ id: number }>(
		'INSERT INTO payloads (pieces, text_sha256, deposited_at) VALUES (0, ?, ?) RETURNING id',
		textSha256,
		queries.now,
	);
	return row!.id;
}

export async function insertPiece(
	queries: Queries,
	ref: number,
	piece: number,
	json: string,
): Promise<void> {
	await queries.run(
		'INSERT INTO payload_pieces (payload_ref, piece, json) VALUES (?, ?, ?)',
		ref,
		piece,
		json,
	);
}

/** @returns undefined when the payload is gone */
export async function findPiece(
	queries: Queries,
	ref: number,
	piece: number,
): Promise<string | undefined> {
	const row = await queries.get<{ json: string }>(
		'SELECT json FROM payload_pieces WHERE payload_ref = ? AND piece = ?',
		ref,
		piece,
	);
	return row?.json;
}

/** Removes a payload that nothing refers to. */
export async function deleteDeposit(queries: Queries, ref: number): Promise<void> {
	await queries.run('DELETE FROM payloads WHERE id = ? AND deposited_at IS NOT NULL', ref);
}

/** A payload that was deposited at or before `at` and that nothing came to refer to. */
export async function findAbandonedDeposit(
	queries: Queries,
	at: number,
): Promise<number | undefined> {
	const row = await queries.get<{ id: number }>(
		`SELECT id FROM payloads WHERE deposited_at IS NOT NULL AND deposited_at <= ?
		 ORDER BY deposited_at LIMIT 1`,
		at,
	);
	return row?.id;
}
