/** Claims of a step in doubt that may look into the other system, and not act. */
import type { ClaimAnswer } from '../contract/steps';
import { instant } from '../domain/instant';
import type { Queries } from '../store/database';
import { beginLook } from '../store/looks';
import type { NewClaim, StepRow } from '../store/steps';
import { appendAudit, type AuditHead } from './append-audit';
import { JournalProblem } from './problem';

/**
 * Gives the right to look. The step stays in doubt, and this is no attempt.
 * @param token that of the look it has, where the caller lost the answer
 */
export async function answerLook(
	queries: Queries,
	run: AuditHead,
	step: StepRow,
	token: number,
	{ claimId, leaseExpiresAt }: NewClaim,
): Promise<ClaimAnswer> {
	const { key, attempt } = step;
	beginLook(queries, step, { token, until: leaseExpiresAt, claimId });
	if (token !== step.look_token) await appendAudit(queries, run, 'step.look', key, { attempt });
	return {
		outcome: 'verify',
		key,
		attempt,
		fencingToken: token,
		leaseExpiresAt: instant(leaseExpiresAt),
	};
}

/** Somebody else looks until then; milliseconds since the epoch. */
export function beingLookedAt(queries: Queries, step: StepRow, until: number): JournalProblem {
	return new JournalProblem(
		'step_in_progress',
		{
			key: step.key,
			attempt: step.attempt,
			leaseExpiresAt: instant(until),
			retryAfterMs: until - queries.now,
		},
		'Another caller is looking whether the effect of this step happened',
	);
}
