import type { Claimant, NotEntitled } from '../domain/authority';
import type { Queries } from '../store/database';
import type { GateRow } from '../store/gates';
import { appendAudit, type AuditHead } from './append-audit';
import { JournalProblem } from './problem';

const WHY: Record<NotEntitled, string> = {
	not_approver: 'Only the named approvers may decide this gate',
	requester: 'Nobody may decide on a request of their own',
	passed_on: 'The gate was passed on to others, who decide now',
	link_only_shows: 'This link shows the gate and decides nothing',
};

/**
 * Refuses somebody who wanted to decide and may not, and leaves the attempt in the audit of the run:
 * by which way and why, and no name. In the transaction of the caller.
 */
export async function refuseDecision(
	queries: Queries,
	run: AuditHead,
	gate: GateRow,
	{ via }: Pick<Claimant, 'via'>,
	refusedBecause: NotEntitled,
): Promise<JournalProblem> {
	await appendAudit(queries, run, 'gate.refused', gate.gate_id, { via, reason: refusedBecause });
	return new JournalProblem('not_entitled', { refusedBecause }, WHY[refusedBecause]);
}
