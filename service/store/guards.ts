/** SQL of guards: which step was the last to execute under a business key. */
import type { Queries } from './database';
import { HAS_RUN, STEP_COLUMNS, type StepRow } from './steps';

const FIND = `SELECT ${STEP_COLUMNS} FROM steps WHERE namespace = ? AND ${HAS_RUN}
	AND key = (SELECT step_key FROM guards WHERE namespace = ? AND guard_sha256 = ?)`;

/** The last step that was executed under the guard, unless its run is gone. */
export async function findGuardingStep(
	queries: Queries,
	namespace: string,
	guardSha256: string,
): Promise<StepRow | undefined> {
	return await queries.get<StepRow>(FIND, namespace, namespace, guardSha256);
}

/** From now on this step stands under the guard. */
export function bindGuard(
	queries: Queries,
	namespace: string,
	guardSha256: string,
	step: Pick<StepRow, 'run_ref' | 'key'>,
): void {
	queries.send(
		`INSERT INTO guards (namespace, guard_sha256, run_ref, step_key) VALUES (?, ?, ?, ?)
		 ON CONFLICT (namespace, guard_sha256)
		 DO UPDATE SET run_ref = excluded.run_ref, step_key = excluded.step_key`,
		namespace,
		guardSha256,
		step.run_ref,
		step.key,
	);
}
