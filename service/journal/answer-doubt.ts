import type { ResolveRequest } from '../contract/steps';
import type { Queries } from '../store/database';
import type { GateRow } from '../store/gates';
import { closeQuestion } from './close-in-doubt-gate';
import type { GateDecision } from './decide-gate';
import { findStepWithRun } from './find-step-with-run';
import { JournalProblem } from './problem';
import { resolveInTransaction } from './resolve-step';

type DoubtAnswer = Pick<GateDecision, 'decision' | 'comment' | 'edits'> & { readonly by: string };

/**
 * Settles the step that a gate asks about, as the person answers: it happened (its result is what
 * they entered), it did not (another attempt may start now), or nobody shall try again.
 * @returns a problem when the step was settled elsewhere meanwhile: the question is closed then
 */
export async function answerDoubt(
	queries: Queries,
	gate: GateRow,
	answer: DoubtAnswer,
): Promise<JournalProblem | undefined> {
	const found = await findStepWithRun(queries, gate.step_key!);
	const resolved =
		found instanceof JournalProblem
			? found
			: await resolveInTransaction(queries, found, resolution(gate, answer));
	if (!(resolved instanceof JournalProblem)) return undefined;
	await closeQuestion(queries, gate);
	return resolved;
}

function resolution(gate: GateRow, answer: DoubtAnswer): ResolveRequest {
	const { by, comment, edits } = answer;
	const said = { by, reason: comment || `Answered "${answer.decision}" at gate ${gate.gate_id}` };
	switch (answer.decision) {
		case 'happened':
			return { as: 'completed', result: edits === undefined ? (comment ?? null) : edits, ...said };
		case 'not_happened':
			return { as: 'retry', ...said };
		default:
			return { as: 'failed', ...said };
	}
}
