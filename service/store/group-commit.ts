import { storeError, type Queries, type RunName, type StoreFailure } from './database';

/** One write that waits for its transaction. */
export interface Job {
	readonly about: readonly RunName[];
	/** Its commit must reach the disk before it resolves. */
	readonly durable: boolean;
	readonly work: (queries: Queries) => Promise<unknown>;
	readonly resolve: (value: unknown) => void;
	readonly reject: (reason: unknown) => void;
}

export interface GroupCommitOptions {
	/**
	 * Runs the jobs in one transaction and commits it.
	 * @param conflicts how often it was undone in favour of another one
	 * @returns their values in order
	 * @throws what a job threw, or what the store said; nothing is kept then
	 */
	readonly transaction: (jobs: readonly Job[], conflicts: number) => Promise<unknown[]>;
	/**
	 * What an error means: `busy`, the store cannot work now; `damaged`, what this job reads is
	 * damaged; `conflict`, the store undid the transaction in favour of another one, so the same may
	 * succeed now; undefined, the job itself is at fault.
	 */
	readonly failureOf: (error: unknown) => StoreFailure | 'conflict' | undefined;
	/** How many transactions may be under way at a time. */
	readonly lanes: number;
}

/** What a statement gets that comes after the end of its transaction. */
export const ENDED = new Error('The transaction has ended.');

/** More jobs than this wait for the next transaction, so that one does not hold its locks for long. */
const MAX_JOBS_PER_COMMIT = 256;
const MAX_CONFLICTS = 10;

/**
 * Lets writes that arrive together share one transaction and so one disk sync; a single write does
 * not wait for company.
 */
export class GroupCommit {
	readonly #options: GroupCommitOptions;
	#queue: Job[] = [];
	#collecting = false;
	readonly #underWay = new Set<Promise<void>>();

	constructor(options: GroupCommitOptions) {
		this.#options = options;
	}

	add<Result>(
		about: readonly RunName[],
		work: (queries: Queries) => Promise<Result>,
		durable = true,
	): Promise<Result> {
		return new Promise<Result>((resolve, reject) => {
			const settle = { resolve: resolve as (value: unknown) => void, reject };
			this.#queue.push({ about, work, durable, ...settle });
			this.#begin();
		});
	}

	/** Resolves when no transaction is under way; at once, without a turn, when none is. */
	async idle(): Promise<void> {
		while (this.#underWay.size > 0) await Promise.race(this.#underWay);
	}

	/** Resolves when everything that was added is committed or refused. */
	async drained(): Promise<void> {
		while (this.#underWay.size > 0 || this.#queue.length > 0)
			await (this.#underWay.size > 0
				? Promise.race(this.#underWay)
				: new Promise((resolve) => setImmediate(resolve)));
	}

	#begin(): void {
		if (this.#collecting || this.#queue.length === 0) return;
		if (this.#underWay.size >= this.#options.lanes) return;
		this.#collecting = true;
		setImmediate(() => this.#collect(1));
	}

	/**
	 * Commits what has arrived, after another turn of the event loop as long as each turn brings
	 * more: answers of the last commit come back as new writes one by one, and a disk sync for each
	 * half of them costs more than the turn.
	 */
	#collect(seen: number): void {
		const arrived = this.#queue.length;
		if (arrived > seen && arrived < MAX_JOBS_PER_COMMIT) {
			setImmediate(() => this.#collect(arrived));
			return;
		}
		this.#collecting = false;
		const done = this.#commit(this.#queue.splice(0, MAX_JOBS_PER_COMMIT)).finally(() => {
			this.#underWay.delete(done);
			this.#begin();
		});
		this.#underWay.add(done);
		this.#begin();
	}

	/**
	 * When one job throws, all is undone and each is run again in a transaction of its own: that
	 * costs nothing as long as none throws, while a savepoint for each job costs a copy of every
	 * page it touches.
	 */
	async #commit(jobs: readonly Job[], conflicts = 0): Promise<void> {
		try {
			const values = await this.#options.transaction(jobs, conflicts);
			jobs.forEach((job, index) => job.resolve(values[index]));
		} catch (error) {
			const failure = this.#options.failureOf(error);
			if (failure === 'busy' || conflicts === MAX_CONFLICTS) {
				const busy = storeError('busy', error);
				for (const job of jobs) job.reject(busy);
			} else if (jobs.length > 1) for (const job of jobs) await this.#commit([job]);
			else if (failure === 'conflict') await this.#commit(jobs, conflicts + 1);
			else jobs[0]!.reject(failure === 'damaged' ? storeError(failure, error) : error);
		}
	}
}
