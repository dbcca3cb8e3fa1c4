import type { Queries } from '../store/database';
import { deleteDeliveriesOfRun } from '../store/deliveries';
import { deleteGateDecisionsOfRun } from '../store/gate-decisions';
import { deleteWaitersOfRun } from '../store/gate-waiters';
import { deleteGatesOfRun, listGateRowsOfRun } from '../store/gates';
import { deleteOutboxOfRun } from '../store/outbox';
import { dropTimer } from '../store/timers';
import { NAMESPACE } from './journal';

/** Removes the gates of a run with everything that hangs on them: texts, decisions, resume URLs, timers. */
export async function eraseGatesOfRun(queries: Queries, runRef: number): Promise<void> {
	for (const gate of await listGateRowsOfRun(queries, runRef))
		await dropTimer(queries, NAMESPACE, 'gate_deadline', gate.gate_id);
	await deleteOutboxOfRun(queries, runRef);
	await deleteDeliveriesOfRun(queries, runRef);
	await deleteGateDecisionsOfRun(queries, runRef);
	await deleteWaitersOfRun(queries, runRef);
	await deleteGatesOfRun(queries, runRef);
}
