import type { Meta } from '../contract/primitives';
import { effectiveState } from '../domain/step';
import type { StepRow } from '../store/steps';
import { findStepWithRun } from './find-step-with-run';
import type { Journal } from './journal';
import { markInDoubt } from './mark-in-doubt';
import { JournalProblem } from './problem';
import { stepFacts } from './step-facts';
import { stepSettled } from './topics';

/**
 * Where another execution holds the step and n8n says that this one has ended without success, the
 * step is in doubt now, and not only when its lease runs out. n8n is asked outside of any transaction,
 * and its word counts only for the lease that was there before. It may be wrong (an execution marked
 * crashed that goes on): then its holder still completes, as after a lease that ran out.
 * @param asking the execution that wants the step
 * @returns whether the step is in doubt by that
 */
export async function doubtDeadHolder(
	journal: Journal,
	key: string,
	asking: string | undefined,
): Promise<boolean> {
	if (!journal.endedExecution) return false;
	const held = await journal.database.read(async (queries) => {
		const found = await findStepWithRun(queries, key);
		return found instanceof JournalProblem ? undefined : found.step;
	});
	const executionId = held?.execution_id;
	if (!held || !executionId || executionId === asking) return false;
	const { workflowId } = (held.meta_json ? JSON.parse(held.meta_json) : {}) as Meta;
	const status = await journal.endedExecution(executionId, workflowId);
	if (status === undefined) return false;
	const marked = await journal.database.write([{ stepKey: key }], async (queries) => {
		const found = await findStepWithRun(queries, key);
		if (found instanceof JournalProblem) return false;
		const { step, run } = found;
		const live = effectiveState(stepFacts(step), queries.now) === 'claimed';
		if (!live || !isSameLease(step, held)) return false;
		await markInDoubt(queries, run, step, {
			code: `execution_${status}`,
			message: `n8n says that execution ${executionId}, which held this step, is "${status}"`,
		});
		return true;
	});
	if (marked) journal.signals.notify(stepSettled(key));
	return marked;
}

/** A lease that was renewed meanwhile has a holder that lives. */
function isSameLease(now: StepRow, before: StepRow): boolean {
	return (
		now.fencing_token === before.fencing_token && now.lease_expires_at === before.lease_expires_at
	);
}
