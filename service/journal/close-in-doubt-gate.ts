import type { Queries } from '../store/database';
import { findOpenGateOfStep, type GateRow } from '../store/gates';
import { findRunByRef } from '../store/runs';
import type { StepRow } from '../store/steps';
import { settleGate } from './settle-gate';

/** The step was settled without its "did this happen?" gate: the question closes, unanswered. */
export async function closeInDoubtGate(
	queries: Queries,
	step: Pick<StepRow, 'run_ref' | 'key'>,
): Promise<void> {
	const gate = await findOpenGateOfStep(queries, step.run_ref, step.key);
	if (gate) await closeQuestion(queries, gate);
}

/** Closes a gate whose question has no object any more. */
export async function closeQuestion(queries: Queries, gate: GateRow): Promise<void> {
	const run = (await findRunByRef(queries, gate.run_ref))!;
	await settleGate(queries, run, gate, { state: 'cancelled' }, { type: 'gate.cancelled' });
}
