import type { Queries } from '../store/database';
import { listExpiredClaims, nextLeaseExpiry } from '../store/step-lists';
import { findStepWithRun } from './find-step-with-run';
import type { Journal } from './journal';
import { markInDoubt } from './mark-in-doubt';
import { JournalProblem } from './problem';
import { stepSettled } from './topics';

const MAX_STEPS_PER_TRANSACTION = 200;

/**
 * Puts every step whose lease ran out in doubt, so that doubt is seen when it arises and not only
 * when somebody asks.
 * @returns when the next lease runs out (milliseconds since the epoch), or undefined
 */
export async function expireLeases(journal: Journal): Promise<number | undefined> {
	for (;;) {
		const expired = await journal.database.read(
			async (queries) => await listExpiredClaims(queries, MAX_STEPS_PER_TRANSACTION),
		);
		if (expired.length === 0) return await journal.database.read(nextLeaseExpiry);
		const about = expired.map(({ key }) => ({ stepKey: key }));
		await journal.database.write(about, async (queries) => {
			for (const { key } of expired) await expire(queries, key);
		});
		for (const { key } of expired) journal.signals.notify(stepSettled(key));
	}
}

/** Renewed, settled or claimed anew since it was listed: then nothing is left to do. */
async function expire(queries: Queries, key: string): Promise<void> {
	const found = await findStepWithRun(queries, key);
	if (found instanceof JournalProblem) return;
	const { step, run } = found;
	if (step.state !== 'claimed' || step.lease_expires_at > queries.now) return;
	await markInDoubt(queries, run, step);
}
