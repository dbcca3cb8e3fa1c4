import type { RunRow } from '../store/runs';
import { settlementOf } from './describe-run';
import { JournalProblem } from './problem';

/** A cancelled run is fenced: nothing in it is given or taken. */
export function runCancelled(run: RunRow): JournalProblem {
	const { by, reason } = settlementOf(run)!;
	const what = `Run "${run.run_id}" was cancelled by ${by}: ${reason}`;
	return new JournalProblem('run_cancelled', {}, what);
}

/** A run that is completed or dead refuses what would go on with it. */
export function runSettled(run: RunRow): JournalProblem {
	const what = `Run "${run.run_id}" is ${run.state}`;
	return new JournalProblem('run_settled', { runState: run.state }, what);
}
