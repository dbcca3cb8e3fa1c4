/**
 * The port to the store. Use cases see only this; SQLite and PostgreSQL are adapters that pass one
 * conformance suite (test/conformance). It is asynchronous, because a store over the network cannot
 * be anything else.
 */

/** What SQL takes as a parameter. Booleans are stored as 0 and 1. */
export type SqlValue = string | number | null;

/** Statements inside one transaction or one read. SQL uses `?` for parameters. */
export interface Queries {
	/** Milliseconds since the epoch by the store's clock, one instant for the whole transaction. */
	readonly now: number;
	/**
	 * Ends a SELECT of rows to take: what another process is taking at this moment is left out
	 * instead of waited for. Empty where only one process writes at a time. Within another statement
	 * only as `WITH … AS MATERIALIZED`: PostgreSQL may run a sub-select once for each row of the
	 * table, each time with other rows, and then all are taken.
	 */
	readonly skipLocked: string;
	/** The first row, or undefined. */
	get<Row>(sql: string, ...parameters: SqlValue[]): Promise<Row | undefined>;
	/** All rows. */
	all<Row>(sql: string, ...parameters: SqlValue[]): Promise<Row[]>;
	/** Runs a statement; `changes` is the number of rows it touched. */
	run(sql: string, ...parameters: SqlValue[]): Promise<{ changes: number }>;
	/**
	 * Sends a statement that must touch exactly one row, without waiting for its answer: what the
	 * same work asks for afterwards comes after it. Touches it another number of rows, or fails it,
	 * the whole transaction does.
	 */
	send(sql: string, ...parameters: SqlValue[]): void;
}

/**
 * The run that a write is about, named by what the use case knows of it: the id that callers give,
 * a step or gate in it, or the row number of a gate.
 */
export type RunName =
	| { readonly runId: string }
	| { readonly stepKey: string }
	| { readonly gateId: string }
	| { readonly gateRef: number }
	/** No run: writes under one guard take turns like those about one run. */
	| { readonly guardSha256: string };

export interface Database {
	/** Several processes may work on it at the same time, perhaps on several hosts. */
	readonly shared: boolean;
	/** The store's clock as it is known without asking: for sleeping until something is due, not for deciding. */
	now(): number;
	/** Reads committed state. `work` must not write. */
	read<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
	/**
	 * Runs `work` alone against every other write about one of the same runs. Resolves only after
	 * the commit reached the disk. When `work` throws, nothing of it is kept. Must not be nested.
	 * `work` must await nothing but its queries and change nothing outside them: it is run again
	 * when a neighbour in the same transaction threw.
	 * @param about every run whose rows decide what is written; none for rows that belong to no run
	 * @throws StoreBusyError when the store cannot take the write now (locked, disk full, away);
	 *   StoreDamagedError when what it reads is no database any more
	 */
	write<Result>(
		about: readonly RunName[],
		work: (queries: Queries) => Promise<Result>,
	): Promise<Result>;
	/**
	 * As `write`, for rows that nothing refers to yet: it is on the disk only when a later `write` has
	 * resolved, which is why it holds up nobody.
	 */
	writeAhead<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
	close(): Promise<void>;
}

/** The store refused for a reason that may pass: locked, out of space, I/O error, not reachable. */
export class StoreBusyError extends Error {
	override readonly name = 'StoreBusyError';
	/** The code that the refusal has on the wire. */
	readonly code = 'store_busy';
}

/** What the store reads is not what it once wrote: only a person with a backup can help. */
export class StoreDamagedError extends Error {
	override readonly name = 'StoreDamagedError';
	/** The code that the refusal has on the wire. */
	readonly code = 'store_damaged';
}

/** Why a store did not carry something out, where the statement is not at fault. */
export type StoreFailure = 'busy' | 'damaged';

/** What a caller of the store gets for a failure of it. */
export function storeError(failure: StoreFailure, cause: unknown): Error {
	const { message } = cause as Error;
	return failure === 'busy'
		? new StoreBusyError(message, { cause })
		: new StoreDamagedError(message, { cause });
}
