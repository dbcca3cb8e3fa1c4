/** SQL that finds many steps at once: those of a run, those that are due, those that need a person. */
import type { Queries } from './database';
import { HAS_RUN, STEP_COLUMNS, type StepRow } from './steps';

/** Claimed steps whose lease has run out, oldest first. */
export async function listExpiredClaims(queries: Queries, limit: number): Promise<StepRow[]> {
	return await queries.all<StepRow>(
		`SELECT ${STEP_COLUMNS} FROM steps WHERE state = 'claimed' AND lease_expires_at <= ? AND ${HAS_RUN}
		 ORDER BY lease_expires_at LIMIT ?`,
		queries.now,
		limit,
	);
}

/** When the next lease runs out, milliseconds since the epoch. */
export async function nextLeaseExpiry(queries: Queries): Promise<number | undefined> {
	const row = await queries.get<{ at: number }>(
		`SELECT lease_expires_at AS at FROM steps WHERE state = 'claimed' AND ${HAS_RUN}
		 ORDER BY lease_expires_at LIMIT 1`,
	);
	return row?.at;
}

/** In the order in which they were first claimed, from behind the row `after`. */
export async function listStepsOfRun(
	queries: Queries,
	runRef: number,
	limit: number,
	after: number,
): Promise<StepRow[]> {
	return await queries.all<StepRow>(
		`SELECT ${STEP_COLUMNS} FROM steps WHERE run_ref = ? AND id > ? ORDER BY id LIMIT ?`,
		runRef,
		after,
		limit,
	);
}

export type ListedStepRow = StepRow & { run_id: string };

const LISTED = `SELECT ${STEP_COLUMNS},
	(SELECT run_id FROM runs WHERE runs.id = steps.run_ref) AS run_id FROM steps`;

/** Newest first, `before` being the id that the cursor carries. */
export async function listStepsInDoubt(
	queries: Queries,
	namespace: string,
	limit: number,
	before: number,
): Promise<ListedStepRow[]> {
	return await queries.all<ListedStepRow>(
		`${LISTED} WHERE namespace = ? AND state = 'in_doubt' AND id < ? AND ${HAS_RUN}
		 ORDER BY id DESC LIMIT ?`,
		namespace,
		before,
		limit,
	);
}

/**
 * Steps that failed because attempts or time were used up, newest first; none of a run that is
 * completed or cancelled, where nothing can be tried again.
 */
export async function listDeadLetters(
	queries: Queries,
	namespace: string,
	limit: number,
	before: number,
): Promise<ListedStepRow[]> {
	return await queries.all<ListedStepRow>(
		`${LISTED} WHERE namespace = ? AND exhausted = 1 AND id < ?
			AND EXISTS (SELECT 1 FROM runs WHERE runs.id = steps.run_ref
				AND runs.state IN ('active', 'failed', 'dead'))
		 ORDER BY id DESC LIMIT ?`,
		namespace,
		before,
		limit,
	);
}

/** Whether an attempt of the run is under way, or a step of it is in doubt. */
export async function isRunUnsettled(queries: Queries, runRef: number): Promise<boolean> {
	const doubt = await queries.get(
		"SELECT 1 FROM steps WHERE run_ref = ? AND state = 'in_doubt' LIMIT 1",
		runRef,
	);
	if (doubt) return true;
	const claim = await queries.get(
		// The sign keeps the index of all the run's steps out: live claims are far fewer.
		"SELECT 1 FROM steps WHERE +run_ref = ? AND state = 'claimed' LIMIT 1",
		runRef,
	);
	return claim !== undefined;
}
