import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type SqliteConnection from 'better-sqlite3';

/** SQLite's own default for checkpoints inside a commit, in pages. */
const AUTOMATIC = 1_000;
/** How many commits it may be until the log is looked at. */
const EVERY = 8;
/** With a thread: not before the log has this many pages, which means that the thread does not keep up. */
const LATEST = 8_192;
/** From here on the log is begun anew when the thread has left next to nothing to do, in pages. */
const LONG = 4_096;
const NEXT_TO_NOTHING = 128;

interface LogState {
	/** Pages in the write-ahead log. */
	readonly log: number;
	/** How many of them are in the database file. */
	readonly checkpointed: number;
}

/**
 * Keeps the write-ahead log short. A checkpoint inside a commit holds up everybody for milliseconds,
 * so a thread does it; where there is none, or it failed, SQLite does it as ever.
 */
export class Checkpoints {
	readonly #connection: SqliteConnection.Database;
	readonly #file: string;
	readonly #look: SqliteConnection.Statement<[], LogState>;
	readonly #begin: SqliteConnection.Statement<[], LogState>;
	readonly #worker: string;
	#thread: Worker | undefined;
	#commits = 0;
	#working = false;
	#failed = false;

	/** @param worker the compiled checkpoint-worker */
	constructor(
		connection: SqliteConnection.Database,
		file: string,
		worker: string = join(__dirname, 'checkpoint-worker.js'),
	) {
		this.#connection = connection;
		this.#file = file;
		this.#look = connection.prepare('PRAGMA wal_checkpoint(NOOP)');
		this.#begin = connection.prepare('PRAGMA wal_checkpoint(PASSIVE)');
		this.#worker = worker;
		if (file === ':memory:' || !existsSync(worker)) this.#failed = true;
		else connection.pragma(`wal_autocheckpoint = ${LATEST}`);
	}

	/** To be called after each commit, outside of transactions. Never throws: what is committed is committed. */
	committed(): void {
		if (this.#failed || this.#working || ++this.#commits % EVERY !== 0) return;
		const state = orLater(() => this.#look.get()!);
		if (!state || state.log - state.checkpointed < AUTOMATIC) return;
		this.#working = true;
		(this.#thread ??= this.#start()).postMessage('checkpoint');
	}

	/** Ends the thread, so that the last connection to close is the one that removes the log. */
	async close(): Promise<void> {
		const thread = this.#thread;
		if (!thread) return;
		const ended = new Promise((resolve) => thread.once('exit', resolve));
		thread.postMessage('close');
		await ended;
	}

	#start(): Worker {
		const thread = new Worker(this.#worker, { workerData: this.#file });
		thread.unref();
		thread.on('message', () => this.#done());
		thread.on('error', () => {});
		thread.on('exit', () => this.#fallBack());
		return thread;
	}

	/**
	 * While others write, the thread hardly ever reaches the end of the log, and only a log that is done
	 * to its end is begun anew: the rest is done here. Not at each time, since it syncs twice.
	 */
	#done(): void {
		this.#working = false;
		if (!this.#connection.open || this.#connection.inTransaction) return;
		orLater(() => {
			const { log, checkpointed } = this.#look.get()!;
			if (log >= LONG && log - checkpointed <= NEXT_TO_NOTHING) this.#begin.get();
		});
	}

	#fallBack(): void {
		this.#failed = true;
		this.#thread = undefined;
		if (this.#connection.open) this.#connection.pragma(`wal_autocheckpoint = ${AUTOMATIC}`);
	}
}

/** A full or failing disk is the next commit's to report. Thrown from the thread's answer it would end the process. */
function orLater<Result>(work: () => Result): Result | undefined {
	try {
		return work();
	} catch {
		return undefined;
	}
}
