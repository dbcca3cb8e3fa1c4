/** Lists and look-ups must not scan a table that grows with the journal: SQLite says how it would run them. */
import {
	findGate,
	listGateRows,
	listGateRowsOfRun,
	listOverdueGateRowsOfRun,
} from '../../../service/store/gates';
import { isRunAwaited } from '../../../service/store/gate-waiters';
import type { Queries, SqlValue } from '../../../service/store/database';
import { findGuardingStep } from '../../../service/store/guards';
import {
	removeGates,
	removeGuards,
	removeSlots,
	removeSteps,
} from '../../../service/store/removal';
import { listRunRows, listRunRowsFrom } from '../../../service/store/runs';
import { SqliteDatabase } from '../../../service/store/sqlite/sqlite-database';
import {
	isRunUnsettled,
	listDeadLetters,
	listExpiredClaims,
	listStepsInDoubt,
	listStepsOfRun,
	nextLeaseExpiry,
} from '../../../service/store/step-lists';
import { findStep } from '../../../service/store/steps';
import {
	finishTombstone,
	listOldTombstones,
	listUnfinishedRemovals,
} from '../../../service/store/tombstones';

const NS = 'default';
const RUN = 1;

const QUERIES: Array<[string, (queries: Queries) => Promise<unknown>]> = [
	['a step by its key', (queries) => findStep(queries, NS, 'k')],
	['the steps of a run', (queries) => listStepsOfRun(queries, RUN, 50, 0)],
	['steps in doubt', (queries) => listStepsInDoubt(queries, NS, 50, 9)],
	['dead letters', (queries) => listDeadLetters(queries, NS, 50, 9)],
	['expired claims', (queries) => listExpiredClaims(queries, 50)],
	['the next lease', nextLeaseExpiry],
	['whether a run is unsettled', (queries) => isRunUnsettled(queries, RUN)],
	['whether a run is awaited', (queries) => isRunAwaited(queries, RUN)],
	['a gate by its id', (queries) => findGate(queries, NS, 'g')],
	['gates', (queries) => listGateRows(queries, NS, {}, 50, 9)],
	['open gates', (queries) => listGateRows(queries, NS, { state: 'open' }, 50, 9)],
	['gates of a run', (queries) => listGateRows(queries, NS, { runRef: RUN }, 50, 9)],
	['overdue gates of a run', (queries) => listOverdueGateRowsOfRun(queries, RUN)],
	['gates on the page of a run', (queries) => listGateRowsOfRun(queries, RUN, 50)],
	['runs', (queries) => listRunRows(queries, NS, undefined, 50, 9)],
	['runs by state', (queries) => listRunRows(queries, NS, 'failed', 50, 9)],
	['runs by age', (queries) => listRunRowsFrom(queries, 0, 50)],
	['old tombstones', (queries) => listOldTombstones(queries, 9, 50)],
	['removals to finish', (queries) => listUnfinishedRemovals(queries, 50)],
	['the end of a removal', (queries) => finishTombstone(queries, RUN)],
	['removing steps', (queries) => removeSteps(queries, RUN, 50)],
	['removing slots', (queries) => removeSlots(queries, RUN, 50)],
	['the step under a guard', (queries) => findGuardingStep(queries, NS, 'g')],
	['removing guards', (queries) => removeGuards(queries, RUN, 50)],
	['removing gates', (queries) => removeGates(queries, NS, RUN, 50)],
];

let database: SqliteDatabase;
beforeAll(() => {
	database = new SqliteDatabase(':memory:', () => 1);
});
afterAll(async () => await database.close());

/** The lines of the plans of all statements that a piece of work runs. */
async function plansOf(work: (queries: Queries) => Promise<unknown>): Promise<string[]> {
	const lines: string[] = [];
	await database.write([], async (queries) => {
		const explain = async (sql: string, parameters: SqlValue[]) => {
			const plan = await queries.all<{ detail: string }>(
				`EXPLAIN QUERY PLAN ${sql}`,
				...parameters,
			);
			lines.push(...plan.map(({ detail }) => detail));
		};
		await work({
			...queries,
			get: async (sql, ...parameters) => {
				await explain(sql, parameters);
				return undefined;
			},
			all: async (sql, ...parameters) => {
				await explain(sql, parameters);
				return [];
			},
			run: async (sql, ...parameters) => {
				await explain(sql, parameters);
				return { changes: 0 };
			},
		});
	});
	return lines;
}

/** An index of rare or live rows alone may be walked from end to end. */
const PARTIAL =
	/USING (COVERING )?INDEX (steps_by_lease|steps_in_doubt|steps_dead_letters|doubts_of_run|gates_open|tombstones_unfinished)\b/;

test.each(QUERIES)('%s', async (_, work) => {
	const scans = (await plansOf(work)).filter((line) => /^SCAN /.test(line) && !PARTIAL.test(line));
	expect(scans).toEqual([]);
});

test('a scan would be seen', async () => {
	const lines = await plansOf(
		async (queries) => await queries.all('SELECT * FROM steps WHERE step = ?', 's'),
	);
	expect(lines.some((line) => /^SCAN steps/.test(line))).toBe(true);
});
