import { deleteDeposit, findAbandonedDeposit } from '../store/payload-pieces';
import type { Journal } from './journal';

/** A deposit is used within seconds, or never; milliseconds. */
export const ABANDONED_AFTER_MS = 3_600_000;

/**
 * Removes large payloads that were written and then never used, since the process died in between.
 * One a transaction, so that requests come between.
 * @returns when to look again, milliseconds since the epoch
 */
export async function removeAbandonedDeposits({ database }: Journal): Promise<number> {
	for (;;) {
		const ref = await database.read(
			async (queries) => await findAbandonedDeposit(queries, queries.now - ABANDONED_AFTER_MS),
		);
		if (ref === undefined) return database.now() + ABANDONED_AFTER_MS;
		await database.write([], async (queries) => await deleteDeposit(queries, ref));
	}
}
