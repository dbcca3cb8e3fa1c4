/** The store that a test runs on: SQLite in memory, or PostgreSQL in the project `postgres` of jest. */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { Database } from '../service/store/database';
import { PostgresDatabase } from '../service/store/postgres/postgres-database';
import { SqliteDatabase } from '../service/store/sqlite/sqlite-database';

/** Environment variable with the address of the server that the tests share. */
export const SERVER_URL = 'TEST_POSTGRES_URL';
export const TEMPLATE = 'journal_template';

/** `STORE` is set in jest.config.js. */
export const onPostgres = (): boolean => (globalThis as { STORE?: string }).STORE === 'postgres';

/** An empty store with that clock. On PostgreSQL it is made at the first use and dropped by `close`. */
export function openEmptyStore(now: () => number): Database {
	return onPostgres() ? postgresStore(now) : new SqliteDatabase(':memory:', now);
}

/** A new database on the shared server: a migrated one, or with `template1` an empty one. */
export async function createDatabase(
	template = TEMPLATE,
): Promise<{ url: string; drop: () => Promise<void> }> {
	const server = process.env[SERVER_URL]!;
	const name = `test_${randomBytes(8).toString('hex')}`;
	await asAdmin(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
	return {
		url: Object.assign(new URL(server), { pathname: `/${name}` }).href,
		drop: async () => await asAdmin(server, `DROP DATABASE ${name} WITH (FORCE)`),
	};
}

async function asAdmin(server: string, sql: string): Promise<void> {
	const client = new Client(server);
	await client.connect();
	await client.query(sql).finally(async () => await client.end());
}

function postgresStore(now: () => number): Database {
	const opening = (async () => {
		const { url, drop } = await createDatabase();
		return { database: await PostgresDatabase.open(url, { now, connections: 5 }), drop };
	})();
	opening.catch(() => {});
	return {
		shared: true,
		now,
		read: async (work) => await (await opening).database.read(work),
		write: async (about, work) => await (await opening).database.write(about, work),
		writeAhead: async (work) => await (await opening).database.writeAhead(work),
		async close() {
			const { database, drop } = await opening;
			await database.close();
			await drop();
		},
	};
}
