import type { ClientBase } from 'pg';
import type { RunName } from '../database';
import type { Job } from '../group-commit';
import { NAMESPACE } from '../namespace';
import { execute } from './statements';

const RUN_OF_STEP = `SELECT run_ref FROM steps WHERE namespace = '${NAMESPACE}' AND key = name`;
const RUN_OF_GATE = `SELECT run_ref FROM gates WHERE namespace = '${NAMESPACE}' AND gate_id = name`;
const RUN_OF_GATE_REF = 'SELECT run_ref FROM gates WHERE id = name';

/**
 * Locks every named run until the end of the transaction. Advisory locks, since a run can be begun
 * that has no row yet; taken in their own order in every transaction, so that two never wait for
 * each other. A step's or gate's run never changes, so its name may be looked up before the lock.
 * Sub-selects, since a join may be planned as a scan of the whole table.
 */
const LOCK = `SELECT job, run, pg_advisory_xact_lock(run) FROM (
	SELECT job, hashtextextended(run_id, 0) AS run FROM (
		SELECT job, name AS run_id FROM unnest(?::int[], ?::text[]) AS by_id (job, name)
		UNION ALL
		SELECT job, 'guard ' || name AS run_id FROM unnest(?::int[], ?::text[]) AS by_guard (job, name)
		UNION ALL
		SELECT job, (SELECT run_id FROM runs WHERE id = (${RUN_OF_STEP}))
			FROM unnest(?::int[], ?::text[]) AS by_step (job, name)
		UNION ALL
		SELECT job, (SELECT run_id FROM runs WHERE id = (${RUN_OF_GATE}))
			FROM unnest(?::int[], ?::text[]) AS by_gate (job, name)
		UNION ALL
		SELECT job, (SELECT run_id FROM runs WHERE id = (${RUN_OF_GATE_REF}))
			FROM unnest(?::int[], ?::bigint[]) AS by_ref (job, name)
	) AS named WHERE run_id IS NOT NULL ORDER BY run
) AS ordered`;

/** @returns for each job the locks that it holds; jobs with none in common may run side by side */
export async function lockRuns(client: ClientBase, jobs: readonly Job[]): Promise<string[][]> {
	const locksOfJob: string[][] = jobs.map(() => []);
	const named = jobs.flatMap(({ about }, job) => about.map((name) => ({ job, name })));
	if (named.length === 0) return locksOfJob;
	const by = <Member extends string>(member: Member) => {
		const found = named.filter(({ name }) => member in name);
		return [
			found.map(({ job }) => job),
			found.map(({ name }) => (name as RunName & Record<Member, string | number>)[member]),
		];
	};
	const values = [
		...by('runId'),
		...by('guardSha256'),
		...by('stepKey'),
		...by('gateId'),
		...by('gateRef'),
	];
	const { rows } = await execute<{ job: number; run: number }>(client, LOCK, values);
	for (const { job, run } of rows) locksOfJob[job]!.push(String(run));
	return locksOfJob;
}
