import type { StepError } from '../contract/steps';
import { settleStep, type StepRow } from '../store/steps';
import type { Queries } from '../store/database';
import { appendAudit, type AuditHead } from './append-audit';

/**
 * Records that a lease ran out without a report, or that its holder is dead: the effect may or may not
 * have happened. The row at hand is changed too, since what follows in the same transaction is fenced
 * by its state.
 * @param said what n8n said about the holder, where that and not the clock is the reason
 */
export async function markInDoubt(
	queries: Queries,
	run: AuditHead,
	step: StepRow,
	said?: StepError,
): Promise<void> {
	const by = said ? 'n8n' : 'clock';
	await settleStep(queries, step, {
		state: 'in_doubt',
		by,
		...(said && { errorJson: JSON.stringify(said) }),
	});
	step.state = 'in_doubt';
	await appendAudit(queries, run, 'step.in_doubt', step.key, {
		attempt: step.attempt,
		by,
	});
}
