import type { StepFacts } from '../domain/step';
import type { StepRow } from '../store/steps';

/** A stored step as the pure rules see it. */
export function stepFacts(row: StepRow): StepFacts {
	return {
		state: row.state,
		attempt: row.attempt,
		fencingToken: row.fencing_token,
		claimId: row.claim_id ?? undefined,
		firstClaimedAt: row.first_claimed_at,
		budgetAttempt: row.budget_attempt,
		budgetStartedAt: row.budget_started_at,
		leaseExpiresAt: row.lease_expires_at,
		nextAttemptAt: row.next_attempt_at ?? undefined,
		settledAt: row.settled_at ?? undefined,
		settledBy: row.settled_by ?? undefined,
		executionId: row.execution_id ?? undefined,
		lookToken: row.look_token ?? undefined,
		lookUntil: row.look_until ?? undefined,
		lookClaimId: row.look_claim_id ?? undefined,
	};
}
