import type { ClaimManyItem } from '../contract/steps';
import { findUnhashable } from '../domain/canonical-json';
import { fingerprint, ownStepKey, stepKey } from '../domain/key';
import { LargeJson, type LargeJsonFacts } from '../domain/large-json';
import { JournalProblem } from './problem';

export interface StepIdentity {
	readonly key: string;
	readonly fingerprint: string;
}

/** The key of a claim, or a problem naming every value that has no safe canonical form. */
export function identifyStep(request: ClaimManyItem): StepIdentity | JournalProblem {
	const { runId, step, input, idempotencyKey } = request;
	if (input instanceof LargeJson) return identityOf(input.facts);
	const errors = findUnhashable({ runId, step, input, idempotencyKey });
	if (input === undefined) errors.push({ pointer: '/input', detail: 'is missing' });
	if (errors.length > 0) return new JournalProblem('invalid_request', { errors });
	const key =
		idempotencyKey === undefined
			? stepKey(runId, step, input)
			: ownStepKey(runId, step, idempotencyKey);
	return { key, fingerprint: fingerprint(input) };
}

/** What was found out when the input was taken out of its body. */
function identityOf({ identity, unhashable }: LargeJsonFacts): StepIdentity | JournalProblem {
	if (identity) return identity;
	return new JournalProblem('invalid_request', { errors: [...(unhashable ?? [])] });
}
