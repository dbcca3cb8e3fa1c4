import type { Queries } from '../store/database';
import { findRunOfStep, type RunRow } from '../store/runs';
import { findStep, type StepRow } from '../store/steps';
import { NAMESPACE } from './journal';
import { JournalProblem } from './problem';

/** A step and the run it is in, asked for at the same time; not_found when either is gone. */
export async function findStepWithRun(
	queries: Queries,
	key: string,
): Promise<{ step: StepRow; run: RunRow } | JournalProblem> {
	const [step, run] = await Promise.all([
		findStep(queries, NAMESPACE, key),
		findRunOfStep(queries, NAMESPACE, key),
	]);
	if (step && run) return { step, run };
	return new JournalProblem('not_found', {}, `There is no step ${key}`);
}
