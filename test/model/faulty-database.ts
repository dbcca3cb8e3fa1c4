import {
	StoreBusyError,
	type Database,
	type Queries,
	type RunName,
} from '../../service/store/database';

/** A database whose writes break at a chosen query. */
export class FaultyDatabase implements Database {
	readonly shared: boolean;
	#queriesLeft = Infinity;
	#broken = false;

	/** @param onBreak called inside the transaction, before it is undone */
	constructor(
		readonly inner: Database,
		readonly onBreak: () => void,
	) {
		this.shared = inner.shared;
	}

	/** The `query`-th query of all writes from now on throws; the end of a transaction counts as one. */
	breakAt(query: number): void {
		this.#queriesLeft = query;
		this.#broken = false;
	}

	/** Lets all queries pass again. @returns whether one broke since `breakAt` */
	repair(): boolean {
		this.#queriesLeft = Infinity;
		return this.#broken;
	}

	now(): number {
		return this.inner.now();
	}

	async read<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
		return await this.inner.read(work);
	}

	async write<Result>(
		about: readonly RunName[],
		work: (queries: Queries) => Promise<Result>,
	): Promise<Result> {
		return await this.inner.write(about, this.#breakable(work));
	}

	async writeAhead<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
		return await this.inner.writeAhead(this.#breakable(work));
	}

	async close(): Promise<void> {
		await this.inner.close();
	}

	#breakable<Result>(work: (queries: Queries) => Promise<Result>) {
		return async (queries: Queries): Promise<Result> => {
			const result = await work({
				now: queries.now,
				skipLocked: queries.skipLocked,
				get: async (...call) => this.#pass() ?? (await queries.get(...call)),
				all: async (...call) => this.#pass() ?? (await queries.all(...call)),
				run: async (...call) => this.#pass() ?? (await queries.run(...call)),
				send: (...call) => this.#pass() ?? queries.send(...call),
			});
			this.#pass();
			return result;
		};
	}

	#pass(): undefined {
		if (--this.#queriesLeft !== 0) return;
		this.#broken = true;
		this.onBreak();
		throw new StoreBusyError('broken on purpose');
	}
}
