import type { Queries } from '../store/database';
import { findGate } from '../store/gates';
import { NAMESPACE } from './journal';

/** Has this gate of this very run been approved? A gate of another run approves nothing here. */
export async function gateIsApproved(
	queries: Queries,
	runRef: number,
	gateId: string,
): Promise<boolean> {
	const gate = await findGate(queries, NAMESPACE, gateId);
	return gate?.run_ref === runRef && gate.kind === 'approval' && gate.state === 'approved';
}
