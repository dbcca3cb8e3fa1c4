import { existsSync, statSync } from 'node:fs';
import SqliteConnection from 'better-sqlite3';
import { refuseNewerSchema } from '../migrations/refuse-newer-schema';
import { schemaVersionOf } from './schema-version';

/** `begun`: nothing is in it yet but, at most, the table that a first start makes before all others. */
export type Kind = 'begun' | 'journal' | 'foreign';

/** What a database is, by its tables. */
export function kindOf(connection: SqliteConnection.Database): Kind {
	const tables = connection
		.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
		.pluck()
		.all();
	if (tables.every((name) => name === 'schema_versions')) return 'begun';
	const known = ['schema_versions', 'runs', 'steps'].every((name) => tables.includes(name));
	return known ? 'journal' : 'foreign';
}

/**
 * Looks at a file before it is opened for writing, which already changes it: turning WAL on does.
 * @throws when it is there and is another program's or a newer journal's, and what SQLite says when it
 *   is no whole database
 */
export function refuseUnfitFile(file: string): void {
	if (!existsSync(file) || statSync(file).size === 0) return;
	const connection = new SqliteConnection(file, { readonly: true });
	try {
		const kind = kindOf(connection);
		if (kind === 'foreign')
			throw new Error(
				`${file} is the database of another program: name a file for JOURNAL_DATABASE that is a journal's or does not exist yet.`,
			);
		if (kind === 'begun') return;
		refuseNewerSchema(schemaVersionOf(connection));
	} finally {
		connection.close();
	}
}
