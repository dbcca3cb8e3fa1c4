import { settleStep, type StepRow } from '../store/steps';
import type { Queries } from '../store/database';
import { appendAudit, type AuditHead } from './append-audit';

/** Records that a lease ran out without a report: the effect may or may not have happened. */
export async function markInDoubt(queries: Queries, run: AuditHead, step: StepRow): Promise<void> {
	await settleStep(queries, step.id, step.fencing_token, { state: 'in_doubt', by: 'clock' });
	await appendAudit(queries, run, 'step.in_doubt', step.key, {
		attempt: step.attempt,
		by: 'clock',
	});
}
