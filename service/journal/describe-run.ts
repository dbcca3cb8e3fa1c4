import type { Run } from '../contract/runs';
import { instant } from '../domain/instant';
import type { RunRow } from '../store/runs';

/** A stored run as the API shows it. */
export function describeRun(row: RunRow): Run {
	return {
		runId: row.run_id,
		state: row.state,
		createdAt: instant(row.created_at),
		updatedAt: instant(row.updated_at),
		...(row.cancelled_by !== null && {
			cancelled: { by: row.cancelled_by, reason: row.cancelled_reason ?? '' },
		}),
	};
}
