import { signDecisionToken, tokenExpiry, type DecisionToken } from '../domain/decision-token';
import type { GateRow } from '../store/gates';
import type { Journal } from './journal';

/** The link to the decision page of a gate. The same gate and holder give the same link. */
export function decisionLink(
	journal: Pick<Journal, 'secret' | 'publicUrl'>,
	gate: Pick<GateRow, 'gate_id' | 'opened_at' | 'deadline_at' | 'shown_sha256'>,
	holder: DecisionToken['holder'],
	via: DecisionToken['via'] = 'link',
): string {
	const expiresAt = tokenExpiry(gate.opened_at, gate.deadline_at);
	const token = { gateId: gate.gate_id, holder, via, expiresAt };
	return `${journal.publicUrl}/gates/${signDecisionToken(journal.secret, token, gate.shown_sha256)}`;
}
