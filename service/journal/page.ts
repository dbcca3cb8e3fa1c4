import { JournalProblem } from './problem';

const DEFAULT_LIMIT = 50;

/** Reads `?limit=&cursor=` of a list that runs from the newest row to the oldest. */
export function parsePage(query: { limit?: string; cursor?: string }): {
	limit: number;
	before: number;
} {
	const limit = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
	if (query.cursor === undefined) return { limit, before: Number.MAX_SAFE_INTEGER };
	const before = Number(Buffer.from(query.cursor, 'base64url').toString('latin1'));
	if (!Number.isSafeInteger(before) || before < 1)
		throw new JournalProblem('invalid_request', {
			errors: [{ pointer: '/cursor', detail: 'is not a cursor of this list' }],
		});
	return { limit, before };
}

/** The cursor behind the last row, or null when the page was not full. */
export function nextCursor(rows: ReadonlyArray<{ id: number }>, limit: number): string | null {
	const last = rows.at(-1);
	if (!last || rows.length < limit) return null;
	return Buffer.from(String(last.id), 'latin1').toString('base64url');
}
