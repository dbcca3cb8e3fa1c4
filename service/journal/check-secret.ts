import { createHmac } from 'node:crypto';
import { insertServiceFact, readServiceFact } from '../store/service-facts';
import type { Journal } from './journal';

const FACT = 'secret_check';

/**
 * Refuses another JOURNAL_SECRET than the one the database was begun with: every link that people
 * have would be dead, and every execution that waits would never be woken, without a word.
 * @throws Error with what to do
 */
export async function checkSecret({ database, secret }: Journal): Promise<void> {
	const check = createHmac('sha256', secret).update('durable-journal secret check').digest('hex');
	const stored = await database.write([], async (queries) => {
		const known = await readServiceFact(queries, FACT);
		if (known === undefined) await insertServiceFact(queries, FACT, check);
		return known ?? check;
	});
	if (stored !== check)
		throw new Error(
			`JOURNAL_SECRET is not the one this database was begun with: restore it. If it is lost, "DELETE FROM service_facts WHERE name = '${FACT}'" in the database gives up all open links and wake-ups.`,
		);
}
