import type { ClaimManyItem } from '../contract/steps';
import { findUnhashable, hashableJson } from '../domain/canonical-json';
import { ownStepKey, sha256Hex, stepKeyOfText } from '../domain/key';
import { LargeJson, type LargeJsonFacts } from '../domain/large-json';
import { JournalProblem } from './problem';

export interface StepIdentity {
	readonly key: string;
	readonly fingerprint: string;
}

/**
 * The key of a claim, or a problem naming every value that has no safe canonical form. The input is
 * walked once; only a refused one is walked again, to say where.
 */
export function identifyStep(request: ClaimManyItem): StepIdentity | JournalProblem {
	const { runId, step, input, idempotencyKey } = request;
	if (input instanceof LargeJson) return identityOf(input.facts);
	const text = hashableJson(input);
	const named = hashableJson([runId, step, idempotencyKey]) !== undefined;
	if (input === undefined || text === undefined || !named) return unhashable(request);
	const key =
		idempotencyKey === undefined
			? stepKeyOfText(runId, step, text)
			: ownStepKey(runId, step, idempotencyKey);
	return { key, fingerprint: sha256Hex(text) };
}

function unhashable({ runId, step, input, idempotencyKey }: ClaimManyItem): JournalProblem {
	const errors = findUnhashable({ runId, step, input, idempotencyKey });
	if (input === undefined) errors.push({ pointer: '/input', detail: 'is missing' });
	return new JournalProblem('invalid_request', { errors });
}

/** What was found out when the input was taken out of its body. */
function identityOf({ identity, unhashable }: LargeJsonFacts): StepIdentity | JournalProblem {
	if (identity) return identity;
	return new JournalProblem('invalid_request', { errors: [...(unhashable ?? [])] });
}
