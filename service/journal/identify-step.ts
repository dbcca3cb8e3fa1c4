import type { ClaimManyItem } from '../contract/steps';
import { findUnhashable } from '../domain/canonical-json';
import { fingerprint, ownStepKey, stepKey } from '../domain/key';
import { JournalProblem } from './problem';

export interface StepIdentity {
	readonly key: string;
	readonly fingerprint: string;
}

/** The key of a claim, or a problem naming every value that has no safe canonical form. */
export function identifyStep(request: ClaimManyItem): StepIdentity | JournalProblem {
	const { runId, step, input, idempotencyKey } = request;
	const errors = findUnhashable({ runId, step, input, idempotencyKey });
	if (input === undefined) errors.push({ pointer: '/input', detail: 'is missing' });
	if (errors.length > 0) return new JournalProblem('invalid_request', { errors });
	const key =
		idempotencyKey === undefined
			? stepKey(runId, step, input)
			: ownStepKey(runId, step, idempotencyKey);
	return { key, fingerprint: fingerprint(input) };
}
