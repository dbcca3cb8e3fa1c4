import type { Queries } from '../store/database';
import { findOpenGateOfStep } from '../store/gates';
import type { StepRow } from '../store/steps';
import { closeQuestion } from './answer-doubt';

/** The step was settled without its "did this happen?" gate: the question closes, unanswered. */
export async function closeInDoubtGate(
	queries: Queries,
	step: Pick<StepRow, 'run_ref' | 'key'>,
): Promise<void> {
	const gate = await findOpenGateOfStep(queries, step.run_ref, step.key);
	if (gate) await closeQuestion(queries, gate);
}
