import type { ClientBase } from 'pg';
import { migrations } from '../migrations';
import { POSTGRES } from '../migrations/dialect';
import { refuseNewerSchema } from '../migrations/refuse-newer-schema';

/**
 * Brings the schema to the newest version, all of it in one transaction. Processes that start
 * together take turns: the second finds the work done.
 * @throws when the database was written by a newer journal
 */
export async function migrate(client: ClientBase): Promise<void> {
	await client.query('BEGIN');
	try {
		await client.query("SELECT pg_advisory_xact_lock(hashtextextended('durable-journal', 1))");
		await client.query(
			'CREATE TABLE IF NOT EXISTS schema_versions (version BIGINT PRIMARY KEY, applied_at BIGINT NOT NULL)',
		);
		const { rows } = await client.query<{ version: string | null }>(
			'SELECT max(version) AS version FROM schema_versions',
		);
		const version = Number(rows[0]?.version ?? 0);
		refuseNewerSchema(version);
		for (let next = version + 1; next <= migrations.length; next++) {
			await client.query(migrations[next - 1]!(POSTGRES));
			await client.query(
				'INSERT INTO schema_versions VALUES ($1, floor(extract(epoch FROM clock_timestamp()) * 1000))',
				[next],
			);
		}
		await client.query('COMMIT');
	} catch (error) {
		await client.query('ROLLBACK').catch(() => {});
		throw error;
	}
}
