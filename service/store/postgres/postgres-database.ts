import { Pool, type ClientBase, type PoolClient } from 'pg';
import { storeError, type Database, type Queries, type RunName, type SqlValue } from '../database';
import { GroupCommit, type Job } from '../group-commit';
import { checkServer } from './check-server';
import { PostgresFailure } from './failures';
import { migrate } from './migrate';
import { ServerClock } from './server-clock';
import { KEEP_ALIVE_AFTER_MS } from './keep-alive';
import { SharedReader } from './shared-reader';
import { execute } from './statements';
import { runTransaction } from './transaction';

export interface PostgresOptions {
	/** Most connections at a time. */
	readonly connections?: number;
	/** How long the server may take to answer before its connection is given up, in milliseconds. */
	readonly answerWithinMs?: number;
	/** Instead of the server's clock, in tests. */
	readonly now?: () => number;
	/** A connection that was idle broke; the next use makes another. */
	readonly onLostConnection?: (error: Error) => void;
}

const CONNECTIONS = 10;
/** For writing and for reading: kept, so that what comes after a pause finds them prepared. */
const IDLE_CONNECTIONS = 2;
/** Also for one of the connections to be free. */
const CONNECT_WITHIN_MS = 10_000;
/**
 * Longer than the server's own time-outs below. A host that vanished answers nothing at all: without
 * this everybody would wait for as long as TCP sends again, which is a quarter of an hour.
 */
const ANSWER_WITHIN_MS = 40_000;
/**
 * Transactions at a time. More than one splits what one commit could carry, and the second waits for
 * the runs that the first has locked (measured: 2,070 steps/s with one, 1,400 with two, 64 callers).
 */
const LANES = 1;
/** A young journal grows faster than PostgreSQL looks at it by itself: after so many commits. */
const ANALYZE_AFTER = [100, 1_000, 10_000];
const CLOCK = 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now';

/**
 * Set on each connection. `synchronous_commit`: what is acknowledged is on the disk, whatever the
 * server's default. The time-outs: a lock that is never let go must not hold up everybody else, and a
 * host that vanished within a transaction loses its locks before others give up waiting for them: a
 * transaction of ours never idles. The plans: every statement looks rows up by an index; a plan that
 * was made when a table was small, and kept, would read it whole when it has grown.
 */
const SESSION = `SET synchronous_commit = on; SET statement_timeout = '30s';
	SET lock_timeout = '10s'; SET idle_in_transaction_session_timeout = '5s';
	SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off;
	SET enable_mergejoin = off; SET enable_bitmapscan = off; SET jit = off`;

/**
 * PostgreSQL, which several journal processes may share. A write locks the runs that it is about
 * and nothing else; `READ COMMITTED` then shows each statement what was committed before it.
 */
export class PostgresDatabase implements Database {
	readonly shared = true;
	readonly #pool: Pool;
	readonly #reader: SharedReader;
	readonly #clock = new ServerClock();
	#asking: Promise<number> | undefined;
	#commitsDone = 0;
	readonly #fakeNow: (() => number) | undefined;
	readonly #commits = new GroupCommit({
		transaction: async (jobs, conflicts) => await this.#inTransaction(jobs, conflicts),
		failureOf: (error) => (error instanceof PostgresFailure ? error.kind : undefined),
		lanes: LANES,
	});

	private constructor(url: string, options: PostgresOptions) {
		this.#fakeNow = options.now;
		const answerWithinMs = options.answerWithinMs ?? ANSWER_WITHIN_MS;
		this.#pool = new Pool({
			connectionString: url,
			application_name: 'durable-journal',
			max: options.connections ?? CONNECTIONS,
			min: IDLE_CONNECTIONS,
			connectionTimeoutMillis: Math.min(CONNECT_WITHIN_MS, answerWithinMs),
			keepAlive: true,
			keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
			query_timeout: answerWithinMs,
			pipeline: true,
			onConnect: async (client: ClientBase) => void (await client.query(SESSION)),
		} as ConstructorParameters<typeof Pool>[0]);
		this.#pool.on('error', (error) => options.onLostConnection?.(withoutClient(error)));
		// One that breaks while it is used fails what is asked of it; unheard, it would end the process.
		this.#pool.on('connect', (client) => void client.on('error', () => {}));
		this.#reader = new SharedReader(this.#pool);
	}

	/**
	 * Connects and migrates.
	 * @param url `postgres://user:password@host:port/database`
	 * @throws when the server cannot be reached or is not fit, or has a newer schema
	 */
	static async open(url: string, options: PostgresOptions = {}): Promise<PostgresDatabase> {
		const database = new PostgresDatabase(url, options);
		try {
			await database.#withClient(async (client) => {
				await checkServer(client);
				await migrate(client);
				await database.#askTime(client);
			});
			return database;
		} catch (error) {
			await database.#pool.end();
			throw error;
		}
	}

	now(): number {
		return this.#fakeNow?.() ?? this.#clock.now();
	}

	async read<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
		try {
			return await this.#read(work);
		} catch (error) {
			if (!(error instanceof PostgresFailure)) throw error;
			throw storeError(error.kind === 'damaged' ? 'damaged' : 'busy', error);
		}
	}

	/**
	 * One statement sees one state of the database by itself. Only when `work` asks for a second one
	 * is it begun again in a transaction, where all of them see the same state.
	 */
	async #read<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
		if (this.#clock.isStale())
			await (this.#asking ??= this.#withClient((client) => this.#askTime(client)).finally(
				() => (this.#asking = undefined),
			));
		let asked = 0;
		const again = new Error('a second statement');
		try {
			return await this.#reader.use(async (client) => {
				return await work(
					this.#queries(client, this.now(), () => {
						if (++asked > 1) throw again;
					}),
				);
			});
		} catch (error) {
			if (error !== again) throw error;
		}
		return await this.#withClient(async (client) => {
			void execute(client, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY').catch(() => {});
			const result = await work(this.#queries(client, this.now()));
			await execute(client, 'COMMIT');
			return result;
		});
	}

	write<Result>(
		about: readonly RunName[],
		work: (queries: Queries) => Promise<Result>,
	): Promise<Result> {
		return this.#commits.add(about, work);
	}

	/** Nobody waits for the server's disk meanwhile, so it is a write like others. */
	writeAhead<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
		return this.#commits.add([], work);
	}

	async close(): Promise<void> {
		await this.#commits.drained();
		await this.#pool.end();
	}

	async #inTransaction(jobs: readonly Job[], conflicts: number): Promise<unknown[]> {
		const clock = { now: () => this.now(), ask: (client: ClientBase) => this.#askTime(client) };
		const values = await this.#withClient(
			async (client) => await runTransaction(client, jobs, clock, conflicts === 0),
		);
		if (ANALYZE_AFTER.includes(++this.#commitsDone)) void this.#analyze();
		return values;
	}

	/** Statements are planned anew after it. It may fail: then PostgreSQL does it a minute later. */
	async #analyze(): Promise<void> {
		await this.#withClient(async (client) => await client.query('ANALYZE')).catch(() => {});
	}

	async #askTime(client: ClientBase): Promise<number> {
		const { rows } = await execute<{ now: number }>(client, CLOCK);
		this.#clock.set(rows[0]!.now);
		return this.#fakeNow?.() ?? rows[0]!.now;
	}

	/** A connection for this work alone. After an error it is rolled back, or ended if that fails. */
	async #withClient<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
		const client = await this.#pool.connect().catch((error: Error) => {
			throw new PostgresFailure('busy', error);
		});
		try {
			const result = await work(client);
			client.release();
			return result;
		} catch (error) {
			const unusable = await client.query('ROLLBACK').then(
				() => undefined,
				(cause: Error) => cause,
			);
			client.release(unusable);
			throw error;
		}
	}

	#queries(client: ClientBase, now: number, beforeEach: () => void = () => {}): Queries {
		const query = async <Row>(sql: string, parameters: SqlValue[]) => {
			beforeEach();
			return await execute<Row & object>(client, sql, parameters);
		};
		return {
			now,
			skipLocked: 'FOR UPDATE SKIP LOCKED',
			get: async <Row>(sql: string, ...parameters: SqlValue[]) =>
				(await query<Row>(sql, parameters)).rows[0],
			all: async <Row>(sql: string, ...parameters: SqlValue[]) =>
				(await query<Row>(sql, parameters)).rows,
			run: async (sql: string, ...parameters: SqlValue[]) => ({
				changes: (await query(sql, parameters)).rowCount ?? 0,
			}),
			send: () => {
				throw new Error('a read must not write');
			},
		};
	}
}

/** The pool says which connection it was, and with it all that a log must not show. */
function withoutClient(error: Error & { client?: unknown }): Error {
	delete error.client;
	return error;
}
