import { signDecisionToken, tokenExpiry, type DecisionToken } from '../domain/decision-token';
import type { Journal } from './journal';

/**
 * The link to the decision page of a gate. The same gate and holder give the same link.
 * @param gate its id, and when it was opened and ends, milliseconds since the epoch
 */
export function decisionLink(
	journal: Pick<Journal, 'secret' | 'publicUrl'>,
	gate: { gateId: string; openedAt: number; deadlineAt: number | null },
	holder: DecisionToken['holder'],
): string {
	const expiresAt = tokenExpiry(gate.openedAt, gate.deadlineAt);
	const token = signDecisionToken(journal.secret, { gateId: gate.gateId, holder, expiresAt });
	return `${journal.publicUrl}/gates/${token}`;
}
