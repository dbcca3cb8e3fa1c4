/** One PostgreSQL server for all tests of the project `postgres`: its globalSetup and globalTeardown. */
import { PostgresDatabase } from '../../service/store/postgres/postgres-database';
import { startPostgres } from '../../tools/postgres-server.mjs';
import { SERVER_URL, TEMPLATE } from '../store-under-test';

let server: Awaited<ReturnType<typeof startPostgres>> | undefined;

export async function start(): Promise<void> {
	server = await startPostgres({ settings: { max_connections: '300' } });
	process.env[SERVER_URL] = server.url('postgres');
	// Databases of tests are copies of a migrated one.
	await (await PostgresDatabase.open(server.createDatabase(TEMPLATE))).close();
}

export async function stop(): Promise<void> {
	await server?.stop();
}
