import { settleStep, type StepRow } from '../store/steps';
import type { Queries } from '../store/database';
import { appendAudit, type AuditHead } from './append-audit';

/**
 * Records that a lease ran out without a report: the effect may or may not have happened. The row at
 * hand is changed too, since what follows in the same transaction is fenced by its state.
 */
export async function markInDoubt(queries: Queries, run: AuditHead, step: StepRow): Promise<void> {
	await settleStep(queries, step, { state: 'in_doubt', by: 'clock' });
	step.state = 'in_doubt';
	await appendAudit(queries, run, 'step.in_doubt', step.key, {
		attempt: step.attempt,
		by: 'clock',
	});
}
