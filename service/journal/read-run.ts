import type { RunDetail } from '../contract/runs';
import { findRun } from '../store/runs';
import { listStepsOfRun } from '../store/steps';
import { describeRun } from './describe-run';
import { listGatesOfRun } from './list-gates';
import { NAMESPACE, type Journal } from './journal';
import { JournalProblem, orThrow } from './problem';
import { describeStep } from './read-step';

/** A run with its steps and gates, without payloads. @throws JournalProblem not_found */
export async function readRun(journal: Journal, runId: string): Promise<RunDetail> {
	const answer = await journal.database.read(async (queries) => {
		const run = await findRun(queries, NAMESPACE, runId);
		if (!run) return new JournalProblem('not_found', {}, `There is no run "${runId}"`);
		const steps = await listStepsOfRun(queries, run.id);
		return {
			...describeRun(run),
			steps: steps.map((step) => describeStep(queries, step, run.run_id)),
			gates: await listGatesOfRun(queries, run),
		};
	});
	return orThrow(answer);
}
