/**
 * The port to the store. Use cases see only this; SQLite and, later, PostgreSQL are adapters that
 * pass one conformance suite (test/unit/store). It is asynchronous from the start, because a store
 * over the network cannot be anything else.
 */

/** What SQL takes as a parameter. Booleans are stored as 0 and 1. */
export type SqlValue = string | number | bigint | Buffer | null;

/** Statements inside one transaction or one read. SQL uses `?` for parameters. */
export interface Queries {
	/** Milliseconds since the epoch, one instant for the whole transaction. */
	readonly now: number;
	/** The first row, or undefined. */
	get<Row>(sql: string, ...parameters: SqlValue[]): Promise<Row | undefined>;
	/** All rows. */
	all<Row>(sql: string, ...parameters: SqlValue[]): Promise<Row[]>;
	/** Runs a statement; `changes` is the number of rows it touched. */
	run(sql: string, ...parameters: SqlValue[]): Promise<{ changes: number }>;
}

export interface Database {
	/** Reads committed state. `work` must not write. */
	read<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
	/**
	 * Runs `work` alone against all other writes. Resolves only after the commit reached the disk.
	 * When `work` throws, nothing of it is kept. Must not be nested. `work` must await nothing but
	 * its queries and change nothing outside them: it is run again when a neighbour in the same
	 * transaction threw.
	 * @throws StoreBusyError when the store cannot take the write now (locked, disk full).
	 */
	write<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
	close(): Promise<void>;
}

/** The store refused for a reason that may pass: locked, out of space, I/O error. */
export class StoreBusyError extends Error {
	override readonly name = 'StoreBusyError';
	/** The code that the refusal has on the wire. */
	readonly code = 'store_busy';
}
