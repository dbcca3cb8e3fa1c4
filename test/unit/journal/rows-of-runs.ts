import type { Database } from '../../../service/store/database';

/** Every table that holds something of a run, its audit and its tombstone apart. */
export const HOLDS_RUNS = [
	'runs',
	'steps',
	'slots',
	'gates',
	'gate_decisions',
	'gate_waiters',
	'deliveries',
	'outbox',
	'timers',
	'payloads',
	'payload_pieces',
];
export const rowsIn = async (database: Database, table: string) =>
	await database.read(
		async (queries) => (await queries.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))!.n,
	);
/** The tables in which there is anything. */
export const tablesInUse = async (database: Database) => {
	const rows = [];
	for (const table of HOLDS_RUNS) if ((await rowsIn(database, table)) > 0) rows.push(table);
	return rows;
};
