import type SqliteConnection from 'better-sqlite3';
import { migrations } from '../migrations';
import { SQLITE } from '../migrations/dialect';
import { refuseNewerSchema } from '../migrations/refuse-newer-schema';
import { schemaVersionOf } from './schema-version';

/**
 * Brings the schema to the newest version, each migration and its version in one transaction.
 * Two processes that start together take turns: the second finds the work done.
 * @throws when the database was written by a newer journal
 */
export function migrate(connection: SqliteConnection.Database, now: number): void {
	connection.exec(
		'CREATE TABLE IF NOT EXISTS schema_versions (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL)',
	);
	const apply = connection.transaction((version: number, sql: string) => {
		if (connection.prepare('SELECT 1 FROM schema_versions WHERE version = ?').get(version)) return;
		connection.exec(sql);
		connection.prepare('INSERT INTO schema_versions VALUES (?, ?)').run(version, now);
	});
	refuseNewerSchema(schemaVersionOf(connection));
	migrations.forEach((sql, index) => apply.immediate(index + 1, sql(SQLITE)));
}
