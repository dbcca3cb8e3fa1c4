import type SqliteConnection from 'better-sqlite3';

/** The newest migration that a journal's database has had; 0 before the first. */
export const schemaVersionOf = (connection: SqliteConnection.Database): number =>
	connection.prepare<[], number | null>('SELECT max(version) FROM schema_versions').pluck().get() ??
	0;
