import type { Queries } from '../store/database';
import { findRunByRef } from '../store/runs';
import { listExpiredClaims, nextLeaseExpiry } from '../store/step-lists';
import { findStep } from '../store/steps';
import { NAMESPACE, type Journal } from './journal';
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
	const step = await findStep(queries, NAMESPACE, key);
	if (step?.state !== 'claimed' || step.lease_expires_at > queries.now) return;
	const run = (await findRunByRef(queries, step.run_ref))!;
	await markInDoubt(queries, run, step);
}
