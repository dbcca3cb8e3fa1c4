import type { RenewAnswer, RenewRequest } from '../contract/steps';
import { instant } from '../domain/instant';
import { effectiveState } from '../domain/step';
import { extendLease } from '../store/steps';
import { findStepWithRun } from './find-step-with-run';
import type { Journal } from './journal';
import { JournalProblem, orThrow } from './problem';
import { stepFacts } from './step-facts';

/**
 * Extends the lease of a live claim to `leaseMs` from now.
 * @throws JournalProblem lease_lost when it ran out or another claim exists, not_found
 */
export async function renewLease(
	journal: Journal,
	key: string,
	request: RenewRequest,
): Promise<RenewAnswer> {
	const answer = await journal.database.write([{ stepKey: key }], async (queries) => {
		const found = await findStepWithRun(queries, key);
		if (found instanceof JournalProblem) return found;
		const { step } = found;
		const live = effectiveState(stepFacts(step), queries.now) === 'claimed';
		if (!live || step.fencing_token !== request.fencingToken)
			return new JournalProblem('lease_lost', { key, attempt: step.attempt });
		const leaseExpiresAt = queries.now + request.leaseMs;
		await extendLease(queries, step, leaseExpiresAt);
		return { leaseExpiresAt: instant(leaseExpiresAt) };
	});
	return orThrow(answer);
}
