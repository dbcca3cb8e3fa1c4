import type { Queries } from '../store/database';
import { findRun, type RunRow } from '../store/runs';
import { goneProblem } from './enter-run';
import { NAMESPACE } from './journal';
import { JournalProblem } from './problem';

/** The run of that id, or why there is none: never begun, erased or pruned. */
export async function findRunOrProblem(
	queries: Queries,
	runId: string,
): Promise<RunRow | JournalProblem> {
	return (
		(await findRun(queries, NAMESPACE, runId)) ??
		(await goneProblem(queries, runId)) ??
		new JournalProblem('not_found', {}, `There is no run "${runId}"`)
	);
}
