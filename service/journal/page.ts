import { JournalProblem } from './problem';

const DEFAULT_LIMIT = 50;

interface PageRequest {
	readonly limit?: string;
	readonly cursor?: string;
}

/** Reads `?limit=&cursor=` of a list that runs from the newest row to the oldest. */
export function parsePage(query: PageRequest): { limit: number; before: number } {
	return {
		limit: parseLimit(query, DEFAULT_LIMIT),
		before: parseCursor(query) ?? Number.MAX_SAFE_INTEGER,
	};
}

/** How many rows a page has at most. */
export function parseLimit({ limit }: PageRequest, otherwise: number): number {
	return limit === undefined ? otherwise : Number(limit);
}

/**
 * The id of the last row of the page before, or undefined on the first.
 * @throws JournalProblem invalid_request
 */
export function parseCursor({ cursor }: PageRequest): number | undefined {
	if (cursor === undefined) return undefined;
	const id = Number(Buffer.from(cursor, 'base64url').toString('latin1'));
	if (!Number.isSafeInteger(id) || id < 1)
		throw new JournalProblem('invalid_request', {
			errors: [{ pointer: '/cursor', detail: 'is not a cursor of this list' }],
		});
	return id;
}

/** The cursor behind the last row, or null when the page was not full. */
export function nextCursor(rows: ReadonlyArray<{ id: number }>, limit: number): string | null {
	const last = rows.at(-1);
	if (!last || rows.length < limit) return null;
	return Buffer.from(String(last.id), 'latin1').toString('base64url');
}
