import { DatabaseError } from 'pg';
import type { StoreFailure } from '../database';

/** A statement that the server did not carry out, for a reason outside the statement. */
export class PostgresFailure extends Error {
	override readonly name = 'PostgresFailure';
	constructor(
		readonly kind: StoreFailure | 'conflict',
		cause: Error,
	) {
		super(cause.message, { cause });
	}
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: another transaction was given way. */
const CONFLICTS = new Set([
	'40001', // serialization_failure
	'40P01', // deadlock_detected
	'23505', // unique_violation: two transactions began the same thing, each unseen by the other
]);

/** Classes and codes of a server that cannot work now and may later. */
const BUSY = [
	'08', // connection exceptions
	'53', // insufficient resources: disk full, out of memory, too many connections
	'57', // operator intervention: shutdown, restart, statement time-out
	'58', // system errors outside PostgreSQL: I/O
	'55P03', // lock_not_available: the lock time-out passed
	'25006', // read_only_sql_transaction: a standby after a failover
	'25P03', // idle_in_transaction_session_timeout
];

const DAMAGED = [
	'XX001', // data_corrupted
	'XX002', // index_corrupted
];

/**
 * What an error of a statement means. One without an SQLSTATE is the connection's. The detail quotes
 * the row, which no log may show.
 * @returns the error itself when the statement is at fault
 */
export function explainFailure(error: Error): Error {
	if (!(error instanceof DatabaseError)) return new PostgresFailure('busy', error);
	delete error.detail;
	const code = error.code ?? '';
	if (CONFLICTS.has(code)) return new PostgresFailure('conflict', error);
	if (DAMAGED.includes(code)) return new PostgresFailure('damaged', error);
	if (BUSY.some((prefix) => code.startsWith(prefix))) return new PostgresFailure('busy', error);
	return error;
}
