import type { Queries } from '../store/database';
import { listOpenGateRowsOfRun } from '../store/gates';
import type { RunRow } from '../store/runs';
import { settleGate } from './settle-gate';

/**
 * Closes every open gate of a run, undecided: whoever waits at one is woken and finds that it is
 * not approved. The caller calls signalSettledGates after the commit.
 */
export async function cancelGatesOfRun(queries: Queries, run: RunRow): Promise<void> {
	for (const gate of await listOpenGateRowsOfRun(queries, run.id))
		await settleGate(queries, run, gate, { state: 'cancelled' }, { type: 'gate.cancelled' });
}
