import type { ClientBase } from 'pg';

/** What a server must be, and what to do where it is not. */
const NEEDED: ReadonlyArray<{ setting: string; value: string; otherwise: string }> = [
	{
		setting: 'fsync',
		value: 'on',
		otherwise: 'a crash of its host would lose acknowledged steps. Set fsync = on.',
	},
	{
		setting: 'server_encoding',
		value: 'UTF8',
		otherwise: "not every text can be stored. Create the database with ENCODING 'UTF8'.",
	},
];

/**
 * Refuses a server that cannot keep what is promised.
 * @throws Error with what to do
 */
export async function checkServer(client: ClientBase): Promise<void> {
	await refusePooler(client);
	for (const { setting, value, otherwise } of NEEDED) {
		const { rows } = await client.query<Record<string, string>>(`SHOW ${setting}`);
		const found = rows[0]?.[setting];
		if (found !== value)
			throw new Error(`This PostgreSQL server runs with ${setting} = ${found}: ${otherwise}`);
	}
}

/**
 * A pooler gives each transaction another session: the settings of ours would be lost, with them
 * `synchronous_commit`, and nobody would hear a NOTIFY. It names itself as the process to cancel.
 */
async function refusePooler(client: ClientBase & { processID?: number | null }): Promise<void> {
	const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
	if (rows[0]?.pid !== client.processID)
		throw new Error(
			'Between the journal and this PostgreSQL server is a connection pooler such as PgBouncer: name the server itself. The journal pools its connections, about ten.',
		);
}
