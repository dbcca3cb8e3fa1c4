import { findRunByRef } from '../store/runs';
import { listExpiredClaims, nextLeaseExpiry } from '../store/steps';
import type { Journal } from './journal';
import { markInDoubt } from './mark-in-doubt';
import { stepSettled } from './topics';

const MAX_STEPS_PER_TRANSACTION = 200;

/**
 * Puts every step whose lease ran out in doubt, so that doubt is seen when it arises and not only
 * when somebody asks.
 * @returns when the next lease runs out (milliseconds since the epoch), or undefined
 */
export async function expireLeases(journal: Journal): Promise<number | undefined> {
	for (;;) {
		const expired = await journal.database.write(async (queries) => {
			const steps = await listExpiredClaims(queries, MAX_STEPS_PER_TRANSACTION);
			for (const step of steps) {
				const run = (await findRunByRef(queries, step.run_ref))!;
				await markInDoubt(queries, run, step);
			}
			return steps;
		});
		for (const step of expired) journal.signals.notify(stepSettled(step.key));
		if (expired.length < MAX_STEPS_PER_TRANSACTION)
			return await journal.database.read(nextLeaseExpiry);
	}
}
