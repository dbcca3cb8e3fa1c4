import { open, type FileHandle } from 'node:fs/promises';
import type SqliteConnection from 'better-sqlite3';
import { storeError, type Database, type Queries, type RunName, type SqlValue } from '../database';
import { ENDED, GroupCommit, type Job } from '../group-commit';
import { Checkpoints } from './checkpoints';
import { failureOf } from './failures';
import { refuseUnfitFile } from './kind-of-file';
import { migrate } from './migrate';
import { refuseNetworkFileSystem } from './network-file-system';
import { openConnection } from './open-connection';

export interface SqliteOptions {
	readonly busyTimeoutMs?: number;
	readonly checkpointWorker?: string;
}

/**
 * SQLite in WAL mode with `synchronous=FULL`: a commit is on the disk before anybody hears of it.
 */
export class SqliteDatabase implements Database {
	readonly #connection: SqliteConnection.Database;
	readonly #checkpoints: Checkpoints;
	readonly #now: () => number;
	readonly #statements = new Map<string, SqliteConnection.Statement<SqlValue[]>>();
	#synchronous: 'FULL' | 'NORMAL' = 'FULL';
	/** The write-ahead log; no lock is ever held on this file, so another handle on it may be closed. */
	#log: Promise<FileHandle> | undefined;
	readonly #commits = new GroupCommit({
		transaction: async (jobs) => await this.#transaction(jobs),
		failureOf,
		lanes: 1,
	});

	/**
	 * Opens and migrates a database file.
	 * @param file path, or `:memory:` in tests
	 * @param now the clock, milliseconds since the epoch
	 * @param options busyTimeoutMs: how long a write waits for a lock of another process;
	 *   checkpointWorker: the compiled file of that name
	 * @throws when the file is on a network file system, has a newer schema, or FULL cannot be set
	 */
	constructor(file: string, now: () => number, options: SqliteOptions = {}) {
		if (file !== ':memory:') {
			refuseNetworkFileSystem(file);
			refuseUnfitFile(file);
		}
		this.#now = now;
		this.#connection = openConnection(file, options.busyTimeoutMs ?? 5_000);
		migrate(this.#connection, now());
		this.#checkpoints = new Checkpoints(this.#connection, file, options.checkpointWorker);
	}

	readonly shared = false;

	now(): number {
		return this.#now();
	}

	async read<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
		// While a transaction is open on this connection a read would see uncommitted rows: wait.
		await this.#commits.idle();
		return await explained(async () => await work(this.#queries()));
	}

	/** One connection writes, so each write is alone whatever it is about. */
	write<Result>(
		about: readonly RunName[],
		work: (queries: Queries) => Promise<Result>,
	): Promise<Result> {
		return this.#commits.add(about, work);
	}

	/** The disk works on it beside the event loop, while a commit with FULL would wait for it. */
	async writeAhead<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
		const result = await this.#commits.add([], work, false);
		await explained(async () => await this.#flushLog());
		return result;
	}

	async close(): Promise<void> {
		await this.#commits.drained();
		await (await this.#log)?.close();
		await this.#checkpoints.close();
		this.#connection.close();
	}

	async #flushLog(): Promise<void> {
		if (this.#connection.memory) return;
		this.#log ??= open(`${this.#connection.name}-wal`, 'r+').catch((error: unknown) => {
			this.#log = undefined;
			throw error;
		});
		await (await this.#log).datasync();
	}

	/** With NORMAL a commit is written and not synchronised; the next one with FULL does it for both. */
	#synchronise(level: 'FULL' | 'NORMAL'): void {
		if (this.#synchronous === level) return;
		this.#connection.pragma(`synchronous = ${level}`);
		this.#synchronous = level;
	}

	async #transaction(jobs: readonly Job[]): Promise<unknown[]> {
		this.#synchronise(jobs.some((job) => job.durable) ? 'FULL' : 'NORMAL');
		this.#exec('BEGIN IMMEDIATE');
		const life = { ended: false };
		const values: unknown[] = [];
		try {
			const queries = this.#queries(life);
			for (const job of jobs) values.push(await job.work(queries));
			this.#exec('COMMIT');
		} catch (error) {
			if (this.#connection.inTransaction) this.#exec('ROLLBACK');
			throw error;
		} finally {
			life.ended = true;
		}
		this.#checkpoints.committed();
		return values;
	}

	/** @param life work that goes on although its transaction was undone must not write outside of it */
	#queries(life = { ended: false }): Queries {
		const statement = (sql: string) => {
			if (life.ended) throw ENDED;
			return this.#prepare(sql);
		};
		return {
			now: this.#now(),
			skipLocked: '',
			get: async <Row>(sql: string, ...parameters: SqlValue[]) =>
				statement(sql).get(...parameters) as Row | undefined,
			all: async <Row>(sql: string, ...parameters: SqlValue[]) =>
				statement(sql).all(...parameters) as Row[],
			run: async (sql: string, ...parameters: SqlValue[]) => ({
				changes: statement(sql).run(...parameters).changes,
			}),
			send: (sql: string, ...parameters: SqlValue[]) => {
				const { changes } = statement(sql).run(...parameters);
				if (changes !== 1)
					throw new Error(`A statement touched ${changes} rows instead of 1: ${sql}`);
			},
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

/** @throws what `work` throws, as a failure of the store where it is one */
async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		const failure = failureOf(error);
		throw failure ? storeError(failure, error) : error;
	}
}
