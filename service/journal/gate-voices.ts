import type { Decision } from '../contract/gates';
import type { Queries } from '../store/database';
import { listGateDecisions } from '../store/gate-decisions';

/** What people have said of a gate so far, in the order in which they first spoke. */
export async function gateVoices(queries: Queries, gateRef: number): Promise<Decision[]> {
	const decisions = await listGateDecisions(queries, gateRef);
	return decisions.map((json) => JSON.parse(json) as Decision);
}
