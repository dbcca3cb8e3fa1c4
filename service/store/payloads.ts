import type { Queries } from './database';

/** Larger payloads live in their own table, so that scans of steps and gates stay small. */
const INLINE_LIMIT = 4_096;

/** A stored payload: inline, or a reference into `payloads`, or neither when there is none. */
export interface PayloadColumns {
	readonly json: string | null;
	readonly ref: number | null;
}

/** Stores the JSON text of a value; `undefined` (no value) stays apart from `null`. */
export async function storePayload(queries: Queries, value: unknown): Promise<PayloadColumns> {
	const json = value === undefined ? undefined : JSON.stringify(value);
	if (json === undefined) return { json: null, ref: null };
	if (json.length <= INLINE_LIMIT) return { json, ref: null };
	const row = await queries.get<{ id: number }>(
		'INSERT INTO payloads (json) VALUES (?) RETURNING id',
		json,
	);
	return { json: null, ref: row!.id };
}

/** Reads back what storePayload stored. */
export async function loadPayload(queries: Queries, columns: PayloadColumns): Promise<unknown> {
	if (columns.json !== null) return JSON.parse(columns.json);
	if (columns.ref === null) return undefined;
	const row = await queries.get<{ json: string }>(
		'SELECT json FROM payloads WHERE id = ?',
		columns.ref,
	);
	return row && JSON.parse(row.json);
}

/** Removes what storePayload stored apart; a payload that lies inline goes with its row. */
export async function deletePayload(queries: Queries, ref: PayloadColumns['ref']): Promise<void> {
	if (ref !== null) await queries.run('DELETE FROM payloads WHERE id = ?', ref);
}
