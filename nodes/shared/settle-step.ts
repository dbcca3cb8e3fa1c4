import type { OnInDoubt, StepError, Usage } from '../../service/contract/steps';
import { attempt } from './attempt';
import type { Execute } from './claim-step';
import type { Classification } from './classify-error';
import type { JournalClient } from './journal-client';
import { aboutStep, isTooLarge, JournalError } from './journal-error';
import { isOmittedResult, omittedResult } from './omitted-result';
import { StepStopped } from './step-stopped';

/** A claim that this node holds. `step` is the step's name. */
export type Held = Pick<Execute, 'key' | 'attempt' | 'fencingToken'> & { step: string };

const MESSAGE_LIMIT = 2_000;

const stopFacts = (client: JournalClient, held: Held) => ({
	step: held.step,
	key: held.key,
	attempt: held.attempt,
	origin: client.origin,
});

/**
 * Records what the step returned.
 * @param result JSON, or the mark of one that cannot be kept
 * @returns false where the result was too large to be kept; the step is completed without it
 * @throws StepStopped `overtaken` where another attempt or a person settled the step meanwhile
 */
export async function completeStep(
	client: JournalClient,
	held: Held,
	result: unknown,
	usage?: Usage,
): Promise<boolean> {
	const { key, fencingToken } = held;
	const told = await attempt(
		client.complete(key, { fencingToken, result, ...(usage && { usage }) }),
	);
	if (told.ok) return !isOmittedResult(result);
	const { error } = told;
	if (!(error instanceof JournalError)) throw error;
	if (error.code === 'lease_lost' || error.code === 'result_conflict') {
		throw new StepStopped({ ...stopFacts(client, held), kind: 'overtaken' });
	}
	if (!isTooLarge(error)) throw error.about(held.step, true);
	const substituted = await attempt(
		client.complete(key, { fencingToken, result: omittedResult(), ...(usage && { usage }) }),
	);
	if (substituted.ok) return false;
	throw aboutStep(substituted.error, held.step, true);
}

/**
 * Records why the step failed.
 * @param onInDoubt that of the step's claims
 * @returns the instant of the next attempt where there will be one; undefined where it is to be claimed
 *   again at once, which asks people about the doubt or looks it up; everything else is thrown
 */
export async function failStep(
	client: JournalClient,
	held: Held,
	failure: Classification,
	onInDoubt: OnInDoubt | undefined,
): Promise<string | undefined> {
	const error: StepError = {
		message: failure.message.slice(0, MESSAGE_LIMIT),
		...(failure.code && { code: failure.code }),
		...(failure.status !== undefined && { status: failure.status }),
	};
	const facts = { ...stopFacts(client, held), error };
	const told = await attempt(
		client.fail(held.key, {
			fencingToken: held.fencingToken,
			error,
			verdict: failure.verdict,
			...(failure.retryAfterMs !== undefined && { retryAfterMs: failure.retryAfterMs }),
		}),
	);
	if (!told.ok) {
		const lost = told.error instanceof JournalError && told.error.code === 'lease_lost';
		throw lost
			? new StepStopped({ ...facts, kind: 'overtaken' })
			: aboutStep(told.error, held.step, true);
	}
	const { state, nextAttemptAt } = told.value;
	if (state === 'waiting_retry' && nextAttemptAt) return nextAttemptAt;
	const claimedAgain = onInDoubt === 'ask' || onInDoubt === 'verify';
	if (state === 'in_doubt' && claimedAgain) return undefined;
	throw new StepStopped({ ...facts, kind: state === 'in_doubt' ? 'in_doubt' : 'failed' });
}

/**
 * Records why the step failed, where it is to be claimed again if its next attempt is soon enough.
 * @param giveUpAt Unix epoch ms
 * @throws what `failStep` throws, and StepStopped `waiting_retry` where the next attempt is later
 */
export async function failForNow(
	client: JournalClient,
	held: Held,
	failure: Classification,
	onInDoubt: OnInDoubt | undefined,
	giveUpAt: number,
): Promise<void> {
	const nextAttemptAt = await failStep(client, held, failure, onInDoubt);
	if (!nextAttemptAt || Date.parse(nextAttemptAt) <= giveUpAt) return;
	const facts = { ...stopFacts(client, held), error: failure };
	throw new StepStopped({ ...facts, kind: 'waiting_retry', nextAttemptAt });
}
