/** The journal in a process of its own, on a database of its own, in either store. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ROOT } from '../../tools/paths.mjs';
import { startPostgres } from '../../tools/postgres-server.mjs';
import { jsonClient } from './http-client.mjs';
import { freePort, startScript } from './server-process.mjs';

/** Starts the journal on a database (JOURNAL_DATABASE) and waits until it is ready. */
export async function startJournal(database) {
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const apiKey = randomBytes(16).toString('hex');
	const { stop } = await startScript(
		join(ROOT, 'service', 'dist', 'main.js'),
		[],
		async () => (await fetch(`${url}/readyz`)).ok,
		{
			env: {
				JOURNAL_PORT: String(port),
				JOURNAL_DATABASE: database,
				JOURNAL_API_KEY: apiKey,
				JOURNAL_ADMIN_KEY: apiKey,
				JOURNAL_SECRET: 'secret-of-the-bench-0123456789',
				JOURNAL_LOG_LEVEL: 'error',
			},
		},
	);
	const headers = { authorization: `Bearer ${apiKey}` };
	const client = jsonClient(url, headers);
	return {
		url,
		headers,
		client,
		async stop() {
			client.close();
			await stop();
		},
	};
}

export const sqliteStore = (folder) => ({
	name: 'SQLite',
	kind: 'sqlite',
	/** JOURNAL_DATABASE of a new database. */
	create: (name) => `sqlite:${join(folder, `${name}.db`)}`,
});

/** A server of its own, with the settings that decide about durability read back. */
export async function startPostgresStore(cleanup) {
	const server = await startPostgres({ settings: { max_connections: '200' } });
	cleanup.defer(() => server.stop());
	for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
		const value = server.sql(`SHOW ${setting}`).trim();
		if (value !== 'on') throw new Error(`PostgreSQL runs with ${setting} = ${value}`);
	}
	return {
		name: 'PostgreSQL',
		kind: 'postgres',
		version: server.sql('SHOW server_version').trim(),
		create: (name) => server.createDatabase(name),
		/** Address of a database that somebody else creates. */
		url: (name) => server.url(name),
	};
}
