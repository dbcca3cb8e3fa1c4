import { judgeActing } from '../domain/run';
import { MAX_GATES_PER_RUN, MAX_STEPS_PER_RUN } from '../domain/limits';
import type { Queries } from '../store/database';
import type { RunRow } from '../store/runs';
import { JournalProblem } from './problem';
import { reopenInTransaction } from './reopen-run';
import { runSettled } from './run-problem';

/**
 * To be called before a new attempt or a new gate, which a completed or dead run does not take. A
 * failed one is taken up again: n8n's retry of a failed execution asks nobody first.
 */
export async function actInRun(queries: Queries, run: RunRow): Promise<JournalProblem | undefined> {
	switch (judgeActing(run.state)) {
		case 'act':
			return undefined;
		case 'reopen':
			await reopenInTransaction(queries, run, {
				by: 'journal',
				reason: 'Another execution goes on with it',
			});
			return undefined;
		case 'refuse':
			return runSettled(run);
	}
}

/** Counts a new step; the audit event of its first claim writes the count. */
export function countStep(run: RunRow): JournalProblem | undefined {
	if (run.step_count >= MAX_STEPS_PER_RUN) return full(run, `${MAX_STEPS_PER_RUN} steps`);
	run.step_count += 1;
	return undefined;
}

/** Counts a new gate; the audit event of its opening writes the count. */
export function countGate(run: RunRow): JournalProblem | undefined {
	if (run.gate_count >= MAX_GATES_PER_RUN) return full(run, `${MAX_GATES_PER_RUN} gates`);
	run.gate_count += 1;
	return undefined;
}

function full(run: RunRow, most: string): JournalProblem {
	return new JournalProblem('run_full', {}, `Run "${run.run_id}" has its ${most} already`);
}
