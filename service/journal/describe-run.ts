import type { Run, RunSettlement } from '../contract/runs';
import { instant } from '../domain/instant';
import type { RunRow } from '../store/runs';

/** A stored run as the API shows it, without its result. */
export function describeRun(row: RunRow): Run {
	const settled = settlementOf(row);
	return {
		runId: row.run_id,
		state: row.state,
		createdAt: instant(row.created_at),
		updatedAt: instant(row.updated_at),
		stepCount: row.step_count,
		gateCount: row.gate_count,
		...(settled && { settled }),
		...(row.reopening_json !== null && {
			reopened: JSON.parse(row.reopening_json) as RunSettlement,
		}),
		...(row.state === 'cancelled' &&
			settled && { cancelled: { by: settled.by, reason: settled.reason ?? '' } }),
	};
}

/** Who settled the run, why and when; undefined while it is active. */
export function settlementOf(row: RunRow): RunSettlement | undefined {
	return row.settlement_json === null
		? undefined
		: (JSON.parse(row.settlement_json) as RunSettlement);
}
