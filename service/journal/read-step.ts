import type { Step } from '../contract/steps';
import { instant } from '../domain/instant';
import { effectiveState } from '../domain/step';
import type { Queries } from '../store/database';
import { findPayload } from '../store/payloads';
import type { StepRow } from '../store/steps';
import { findStepWithRun } from './find-step-with-run';
import type { Journal } from './journal';
import { JournalProblem, orThrow } from './problem';
import { stepFacts } from './step-facts';

/** Everything the journal knows of one step, its payloads as StoredJson. @throws JournalProblem not_found */
export async function readStep(journal: Journal, key: string): Promise<Step> {
	const answer = await journal.database.read(async (queries) => {
		const found = await findStepWithRun(queries, key);
		if (found instanceof JournalProblem) return found;
		const { step: row, run } = found;
		const input = await findPayload(queries, { json: row.input_json, ref: row.input_ref });
		const result = await findPayload(queries, { json: row.result_json, ref: row.result_ref });
		return {
			...describeStep(queries, row, run.run_id),
			...(input !== undefined && { input }),
			...(result !== undefined && { result }),
		};
	});
	return orThrow(answer);
}

/** A step without its payloads. */
export function describeStep(queries: Queries, row: StepRow, runId: string): Step {
	const state = effectiveState(stepFacts(row), queries.now);
	return {
		key: row.key,
		runId,
		step: row.step,
		...(row.slot && { slot: row.slot }),
		state,
		attempt: row.attempt,
		firstClaimedAt: instant(row.first_claimed_at),
		claimedAt: instant(row.claimed_at),
		...(state === 'claimed' && { leaseExpiresAt: instant(row.lease_expires_at) }),
		...(row.next_attempt_at !== null && { nextAttemptAt: instant(row.next_attempt_at) }),
		...(row.settled_at !== null && { settledAt: instant(row.settled_at) }),
		...(row.settled_by && { settledBy: row.settled_by }),
		...(row.error_json && { error: JSON.parse(row.error_json) }),
		...(row.look_error_json && { lookError: JSON.parse(row.look_error_json) }),
		...(row.usage_json && { usage: JSON.parse(row.usage_json) }),
		...(row.resolution_json && { resolution: JSON.parse(row.resolution_json) }),
		...(row.meta_json && { meta: JSON.parse(row.meta_json) }),
	};
}
