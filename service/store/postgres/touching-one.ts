import { DatabaseError } from 'pg';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const DIVISION_BY_ZERO = '22012';

/**
 * A statement that fails if another one does not touch as many rows as it must: so a commit can be
 * sent behind it without waiting for its answer.
 * @param count an SQL expression
 */
export function touching(sql: string, count: string): string {
	return `WITH touched AS (${sql} RETURNING 1) SELECT 1 / (count(*) = ${count})::int FROM touched`;
}

const guarded = new Map<string, string>();

/** The statement as it is where it cannot touch another number of rows than one. */
export function touchingOne(sql: string): string {
	let text = guarded.get(sql);
	if (text === undefined) {
		const insertsOne = /^INSERT INTO \w+ \([^()]+\)\s+VALUES/.test(sql) && !/DO NOTHING/.test(sql);
		text = insertsOne ? sql : touching(sql, '1');
		guarded.set(sql, text);
	}
	return text;
}

/** Says what the division by zero of `touching` means. */
export function explainTouched(error: Error, sql: string): Error {
	if (!(error instanceof DatabaseError) || error.code !== DIVISION_BY_ZERO) return error;
	return new Error(`A statement touched another number of rows than it must: ${sql}`, {
		cause: error,
	});
}
