import type { RenewAnswer, RenewRequest } from '../contract/steps';
import { instant } from '../domain/instant';
import { effectiveState, reporter } from '../domain/step';
import { beginLook } from '../store/looks';
import { extendLease, type StepRow } from '../store/steps';
import { findStepWithRun } from './find-step-with-run';
import type { Journal } from './journal';
import { JournalProblem, orThrow } from './problem';
import { stepFacts } from './step-facts';

/**
 * Extends the lease of a live claim or look to `leaseMs` from now.
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
		const leaseExpiresAt = queries.now + request.leaseMs;
		if (holdsClaim(step, request.fencingToken, queries.now))
			await extendLease(queries, step, leaseExpiresAt);
		else if (holdsLook(step, request.fencingToken, queries.now))
			beginLook(queries, step, {
				token: request.fencingToken,
				until: leaseExpiresAt,
				claimId: step.look_claim_id ?? undefined,
			});
		else return new JournalProblem('lease_lost', { key, attempt: step.attempt });
		return { leaseExpiresAt: instant(leaseExpiresAt) };
	});
	return orThrow(answer);
}

function holdsClaim(step: StepRow, token: number, now: number): boolean {
	return effectiveState(stepFacts(step), now) === 'claimed' && step.fencing_token === token;
}

function holdsLook(step: StepRow, token: number, now: number): boolean {
	return (
		reporter(stepFacts(step), token) === 'look' && step.look_until !== null && step.look_until > now
	);
}
