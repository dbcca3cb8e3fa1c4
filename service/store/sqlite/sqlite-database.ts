import { platform } from 'node:os';
import SqliteConnection from 'better-sqlite3';
import type { Database, Queries, SqlValue } from '../database';
import { StoreBusyError } from '../database';
import { migrate } from './migrate';
import { refuseNetworkFileSystem } from './network-file-system';

interface Job {
	run: (queries: Queries) => Promise<unknown>;
	resolve: (value: unknown) => void;
	reject: (reason: unknown) => void;
}

/** More jobs than this wait for the next transaction, so that a read between two is not starved. */
const MAX_JOBS_PER_COMMIT = 256;

/**
 * SQLite in WAL mode with `synchronous=FULL`: a commit is on the disk before anybody hears of it.
 * All writes that arrive in one turn of the event loop share one transaction and so one disk sync;
 * a single write does not wait for company.
 */
export class SqliteDatabase implements Database {
	readonly #connection: SqliteConnection.Database;
	readonly #now: () => number;
	readonly #statements = new Map<string, SqliteConnection.Statement<SqlValue[]>>();
	#queue: Job[] = [];
	#draining: Promise<void> | undefined;

	/**
	 * Opens and migrates a database file.
	 * @param file path, or `:memory:` in tests
	 * @param now the clock, milliseconds since the epoch
	 * @param options busyTimeoutMs: how long a write waits for a lock of another process
	 * @throws when the file is on a network file system, has a newer schema, or FULL cannot be set
	 */
	constructor(file: string, now: () => number, options: { busyTimeoutMs?: number } = {}) {
		if (file !== ':memory:') refuseNetworkFileSystem(file);
		this.#now = now;
		this.#connection = new SqliteConnection(file, { timeout: options.busyTimeoutMs ?? 5_000 });
		this.#connection.pragma('journal_mode = WAL');
		// better-sqlite3 13 is compiled with NORMAL for WAL, which loses commits at a power loss.
		this.#connection.pragma('synchronous = FULL');
		if (platform() === 'darwin') this.#connection.pragma('fullfsync = ON');
		if (this.#connection.pragma('synchronous', { simple: true }) !== 2)
			throw new Error('SQLite did not accept synchronous=FULL; refusing to run without it.');
		migrate(this.#connection, now());
	}

	async read<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
		// While a transaction is open on this connection a read would see uncommitted rows: wait.
		while (this.#draining) await this.#draining;
		return await work(this.#queries());
	}

	write<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
		return new Promise<Result>((resolve, reject) => {
			this.#queue.push({ run: work, resolve: resolve as (value: unknown) => void, reject });
			if (this.#queue.length === 1 && !this.#draining) setImmediate(() => this.#collect(1));
		});
	}

	async close(): Promise<void> {
		while (this.#draining || this.#queue.length > 0) {
			if (this.#draining) await this.#draining;
			else await this.write(async () => undefined);
		}
		this.#connection.close();
	}

	/**
	 * Commits what has arrived, after another turn of the event loop as long as each turn brings
	 * more: answers of the last commit come back as new writes one by one, and a disk sync for each
	 * half of them costs more than the turn. A single write does not wait.
	 */
	#collect(seen: number): void {
		const arrived = this.#queue.length;
		if (this.#draining || arrived === 0) return;
		if (arrived > seen && arrived < MAX_JOBS_PER_COMMIT) {
			setImmediate(() => this.#collect(arrived));
			return;
		}
		this.#draining = this.#commitBatch(this.#queue.splice(0, MAX_JOBS_PER_COMMIT)).finally(() => {
			this.#draining = undefined;
			if (this.#queue.length > 0) setImmediate(() => this.#collect(1));
		});
	}

	/**
	 * Runs the jobs one after the other in one transaction. When one throws, all is undone and each
	 * is run again in a transaction of its own: that costs nothing as long as none throws, while a
	 * savepoint for each job costs a copy of every page it touches.
	 */
	async #commitBatch(jobs: Job[]): Promise<void> {
		try {
			const values = await this.#transaction(jobs);
			jobs.forEach((job, index) => job.resolve(values[index]));
		} catch (error) {
			if (isStoreFailure(error)) for (const job of jobs) job.reject(asStoreError(error));
			else if (jobs.length === 1) jobs[0]!.reject(error);
			else for (const job of jobs) await this.#commitBatch([job]);
		}
	}

	async #transaction(jobs: Job[]): Promise<unknown[]> {
		this.#exec('BEGIN IMMEDIATE');
		try {
			const queries = this.#queries();
			const values: unknown[] = [];
			for (const job of jobs) values.push(await job.run(queries));
			this.#exec('COMMIT');
			return values;
		} catch (error) {
			if (this.#connection.inTransaction) this.#exec('ROLLBACK');
			throw error;
		}
	}

	#queries(): Queries {
		return {
			now: this.#now(),
			get: async <Row>(sql: string, ...parameters: SqlValue[]) =>
				this.#prepare(sql).get(...parameters) as Row | undefined,
			all: async <Row>(sql: string, ...parameters: SqlValue[]) =>
				this.#prepare(sql).all(...parameters) as Row[],
			run: async (sql: string, ...parameters: SqlValue[]) => ({
				changes: this.#prepare(sql).run(...parameters).changes,
			}),
		};
	}

	#exec(sql: string): void {
		this.#prepare(sql).run();
	}

	#prepare(sql: string): SqliteConnection.Statement<SqlValue[]> {
		let statement = this.#statements.get(sql);
		if (!statement) {
			statement = this.#connection.prepare<SqlValue[]>(sql);
			this.#statements.set(sql, statement);
		}
		return statement;
	}
}

function isStoreFailure(error: unknown): boolean {
	const code = (error as { code?: unknown }).code;
	if (typeof code !== 'string') return false;
	return ['SQLITE_BUSY', 'SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_CANTOPEN', 'SQLITE_READONLY'].some(
		(kind) => code === kind || code.startsWith(`${kind}_`),
	);
}

function asStoreError(error: unknown): StoreBusyError {
	return new StoreBusyError((error as Error).message, { cause: error });
}
