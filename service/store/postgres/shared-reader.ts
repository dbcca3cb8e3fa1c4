import type { ClientBase, Pool, PoolClient } from 'pg';
import { PostgresFailure } from './failures';

/**
 * One connection for all reads of a single statement: they go to the server one behind the other
 * without waiting for answers. Taken from the pool while there are any, and left when it breaks.
 */
export class SharedReader {
	readonly #pool: Pool;
	#taken: { client: Promise<PoolClient>; users: number; broken?: Error } | undefined;

	constructor(pool: Pool) {
		this.#pool = pool;
	}

	/** @throws PostgresFailure when no connection can be had, and what `work` throws */
	async use<Result>(work: (client: ClientBase) => Promise<Result>): Promise<Result> {
		const taken = (this.#taken ??= { client: this.#pool.connect(), users: 0 });
		taken.users++;
		try {
			const client = await taken.client.catch((error: Error) => {
				throw new PostgresFailure('busy', error);
			});
			return await work(client);
		} catch (error) {
			if (error instanceof PostgresFailure) {
				taken.broken = error;
				if (this.#taken === taken) this.#taken = undefined;
			}
			throw error;
		} finally {
			if (--taken.users === 0) {
				if (this.#taken === taken) this.#taken = undefined;
				await taken.client.then(
					(client) => client.release(taken.broken),
					() => {},
				);
			}
		}
	}
}
