/** What a place of the workflow asked for last, and what that means for what it asks for now. */
import type { ClaimManyItem } from '../contract/steps';
import { changedFields } from '../domain/changed-fields';
import { plainValue } from '../domain/large-json';
import type { Queries } from '../store/database';
import { loadPayload } from '../store/payloads';
import { findRun } from '../store/runs';
import { bindSlot, findLastStepOfSlot, type StepRow } from '../store/steps';
import { NAMESPACE } from './journal';
import { JournalProblem } from './problem';

/**
 * A place that asks with another input than last time must not slip past the journal. What counts
 * is how that step is now, not who claimed it, or from where: `step_unsettled` until it is settled
 * by whoever may, then `step_input_changed`, which the caller can allow.
 */
export async function refuseChangedInput(
	queries: Queries,
	previous: StepRow,
	request: ClaimManyItem,
): Promise<JournalProblem | undefined> {
	const settled = isSettled(previous);
	if (settled && request.onInputChange === 'run') return undefined;
	const before = await loadPayload(queries, { json: previous.input_json, ref: previous.input_ref });
	return new JournalProblem(settled ? 'step_input_changed' : 'step_unsettled', {
		previousKey: previous.key,
		changed: changedFields(before, plainValue(request.input)),
	});
}

/**
 * A known key wins, whatever the place asked for last; so that the next changed input there is
 * noticed, it becomes the last one of the place. Not while the one before it is unsettled, which
 * would be forgotten.
 */
export async function rememberInSlot(
	queries: Queries,
	runRef: number,
	slot: string | undefined,
	previous: StepRow | undefined,
	key: string,
): Promise<void> {
	if (slot === undefined || previous?.key === key) return;
	if (!previous || isSettled(previous)) await bindSlot(queries, runRef, slot, key);
}

/** The same for a repeat within one call, which is not claimed itself. */
export async function rememberRepeat(
	queries: Queries,
	{ runId, slot }: ClaimManyItem,
	key: string,
): Promise<void> {
	if (slot === undefined) return;
	const run = (await findRun(queries, NAMESPACE, runId))!;
	const previous = await findLastStepOfSlot(queries, NAMESPACE, runId, slot);
	await rememberInSlot(queries, run.id, slot, previous, key);
}

function isSettled({ state }: StepRow): boolean {
	return state === 'completed' || state === 'failed';
}
