import { LargeJson } from '../domain/large-json';
import { StoredPieces, StoredText, type StoredJson } from '../domain/stored-json';
import { StoreBusyError, type Queries } from './database';

/** Larger payloads live in their own table, so that scans of steps and gates stay small; in UTF-16 units. */
const INLINE_LIMIT = 4_096;

/** A stored payload: inline, or a reference into `payloads`, or neither when there is none. */
export interface PayloadColumns {
	readonly json: string | null;
	readonly ref: number | null;
}

/**
 * Stores the JSON text of a value; `undefined` (no value) stays apart from `null`. A large one that
 * was deposited is taken as it is.
 */
export async function storePayload(queries: Queries, value: unknown): Promise<PayloadColumns> {
	if (value === undefined) return { json: null, ref: null };
	if (!(value instanceof LargeJson)) return await storeText(queries, JSON.stringify(value));
	const { bytes, facts, deposit } = value;
	if (!deposit) return await storeText(queries, bytes.toString('utf8'), facts.textSha256);
	const { changes } = await queries.run(
		'UPDATE payloads SET pieces = ?, deposited_at = NULL WHERE id = ?',
		deposit.pieces,
		deposit.ref,
	);
	if (changes === 0) throw new StoreBusyError('a deposited payload was removed before it was used');
	return { json: null, ref: deposit.ref };
}

async function storeText(
	queries: Queries,
	json: string,
	textSha256: string | null = null,
): Promise<PayloadColumns> {
	if (json.length <= INLINE_LIMIT) return { json, ref: null };
	const row = await queries.get<{ id: number }>(
		'INSERT INTO payloads (json, pieces, text_sha256) VALUES (?, 0, ?) RETURNING id',
		json,
		textSha256,
	);
	return { json: null, ref: row!.id };
}

/** Reads back the value that storePayload stored. */
export async function loadPayload(queries: Queries, columns: PayloadColumns): Promise<unknown> {
	const stored = await findPayload(queries, columns);
	if (!(stored instanceof StoredPieces)) return stored?.toJSON();
	const pieces = await queries.all<{ json: string }>(
		'SELECT json FROM payload_pieces WHERE payload_ref = ? ORDER BY piece',
		stored.ref,
	);
	return JSON.parse(pieces.map(({ json }) => json).join(''));
}

/** What storePayload stored, as its text, or as where its pieces are. */
export async function findPayload(
	queries: Queries,
	columns: PayloadColumns,
): Promise<StoredJson | undefined> {
	if (columns.json !== null) return new StoredText(columns.json);
	if (columns.ref === null) return undefined;
	const row = await queries.get<{ json: string | null; pieces: number }>(
		'SELECT json, pieces FROM payloads WHERE id = ?',
		columns.ref,
	);
	if (!row) return undefined;
	return row.json === null ? new StoredPieces(columns.ref, row.pieces) : new StoredText(row.json);
}

/** The SHA-256 of the text of a payload that came in a large body. */
export async function findTextSha256(
	queries: Queries,
	columns: PayloadColumns,
): Promise<string | undefined> {
	if (columns.ref === null) return undefined;
	const row = await queries.get<{ text_sha256: string | null }>(
		'SELECT text_sha256 FROM payloads WHERE id = ?',
		columns.ref,
	);
	return row?.text_sha256 ?? undefined;
}

/** Removes what storePayload stored apart; a payload that lies inline goes with its row. */
export async function deletePayload(queries: Queries, ref: PayloadColumns['ref']): Promise<void> {
	if (ref !== null) await queries.run('DELETE FROM payloads WHERE id = ?', ref);
}
