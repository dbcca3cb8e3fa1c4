import type { ClaimAnswer, ClaimManyItem } from '../contract/steps';
import { instant } from '../domain/instant';
import { findPayload } from '../store/payloads';
import { findCompletedStep, type StepRow } from '../store/steps';
import type { Queries } from '../store/database';
import type { StepIdentity } from './identify-step';
import { NAMESPACE, type Journal } from './journal';

/**
 * The stored result of a completed step, by reading alone: a replay writes nothing. Undefined where
 * the claim needs the whole procedure: unknown or unsettled, a gate to check, a cancelled run,
 * another input under the caller's own key, or a place that asked for another step last.
 */
export async function replayStep(
	journal: Journal,
	request: ClaimManyItem,
	identity: StepIdentity,
): Promise<ClaimAnswer | undefined> {
	const { runId, slot, gateId } = request;
	if (gateId !== undefined) return undefined;
	return await journal.database.read(async (queries) => {
		const step = await findCompletedStep(queries, NAMESPACE, runId, identity.key, slot);
		if (step?.fingerprint !== identity.fingerprint) return undefined;
		return await replayAnswer(queries, identity.key, step);
	});
}

/** The answer that gives a completed step's result back, as StoredJson. */
export async function replayAnswer(
	queries: Queries,
	key: string,
	step: Pick<StepRow, 'attempt' | 'settled_at' | 'result_json' | 'result_ref'>,
): Promise<Extract<ClaimAnswer, { outcome: 'replay' }>> {
	const result = await findPayload(queries, { json: step.result_json, ref: step.result_ref });
	return {
		outcome: 'replay',
		key,
		attempt: step.attempt,
		...(result !== undefined && { result }),
		completedAt: instant(step.settled_at!),
	};
}
