import type { OpenGateRequest } from '../contract/gates';
import type { Authority } from '../domain/authority';
import type { GateRow } from '../store/gates';

/** Who may decide a gate, as its first open said and as far as it was passed on since. */
export function gateAuthority(
	{
		approvers = [],
		escalateTo,
		requester,
	}: Pick<OpenGateRequest, 'approvers' | 'escalateTo' | 'requester'>,
	row: Pick<GateRow, 'escalated_at'>,
): Authority {
	return {
		named: [...approvers, ...(escalateTo?.approvers ?? [])],
		askedFirst: approvers.length,
		passedOn: row.escalated_at !== null,
		requester,
	};
}
