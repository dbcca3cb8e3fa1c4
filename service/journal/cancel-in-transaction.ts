import type { CancelRunRequest } from '../contract/runs';
import { instant } from '../domain/instant';
import { runMayBecome } from '../domain/run';
import type { Queries } from '../store/database';
import { settleRunRow, type RunRow } from '../store/runs';
import { appendAudit } from './append-audit';
import { cancelGatesOfRun } from './cancel-gates-of-run';

/**
 * Cancels a run that is not final, with its open gates; `run` says so afterwards. In the transaction
 * of the caller, who has settled what deadlines decided before, and notifies after the commit.
 */
export async function cancelInTransaction(
	queries: Queries,
	run: RunRow,
	request: CancelRunRequest,
): Promise<void> {
	if (!runMayBecome(run.state, 'cancelled')) return;
	const { by, reason } = request;
	const settlementJson = JSON.stringify({ by, reason, at: instant(queries.now) });
	await settleRunRow(queries, run.id, 'cancelled', settlementJson, { json: null, ref: null });
	run.state = 'cancelled';
	run.settlement_json = settlementJson;
	await appendAudit(queries, run, 'run.cancelled', undefined);
	await cancelGatesOfRun(queries, run);
}
