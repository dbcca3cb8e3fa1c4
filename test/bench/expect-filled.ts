import type { Database } from '../../service/store/database';
import { openApi } from '../api';
import { fillRows, ROWS } from './fill-rows.mjs';
import { claimOf, replay, runOfTen } from './workload.mjs';

const STEPS = 50;

async function overApi(database: Database, work: (client: object) => Promise<void>) {
	const api = await openApi({ database });
	const post = async (path: string, body: unknown) =>
		JSON.stringify((await api.post(path, body)).body);
	await work({ post }).finally(async () => {
		await api.close();
		await database.close();
	});
}

/**
 * The bench fills the journal's tables by SQL: a journal must find every step there as if it had
 * written it itself.
 * @param name JOURNAL_DATABASE of an empty database
 */
export async function expectFilled(
	kind: 'sqlite' | 'postgres',
	name: string,
	open: () => Promise<Database>,
): Promise<void> {
	await overApi(await open(), async (client) => await runOfTen(client, ROWS, 0));
	await fillRows(kind, name, STEPS);
	const database = await open();
	const count = async (table: string) =>
		await database.read(
			async (queries) =>
				(await queries.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))!.n,
		);
	expect(await count('runs')).toBe(STEPS / 10);
	expect(await count('steps')).toBe(STEPS);
	expect(await count('slots')).toBe(STEPS);
	expect(await count('audit_events')).toBe(STEPS * 2 + STEPS / 10);
	await overApi(database, async (client) => {
		for (let index = 0; index < STEPS; index++) await replay(client, claimOf(ROWS, index));
	});
}
