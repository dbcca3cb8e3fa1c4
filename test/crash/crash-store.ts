/** A store for journal processes that are killed, and what can be asked of it without them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteConnection from 'better-sqlite3';
import { Client } from 'pg';
import { createDatabase } from '../store-under-test';

export interface CrashStore {
	/** JOURNAL_DATABASE. */
	readonly address: string;
	/** Whether several processes may work on it. */
	readonly shared: boolean;
	rows(sql: string): Promise<any[]>;
	/** @throws when the store itself says that it is damaged */
	checkIntegrity(): Promise<void>;
	remove(): Promise<void>;
}

/** @param parent the folder in which it gets a folder of its own */
export function sqliteCrashStore(parent = tmpdir()): CrashStore {
	const folder = mkdtempSync(join(parent, 'durable-crash-'));
	const file = join(folder, 'journal.db');
	const rows = async (sql: string) => {
		const connection = new SqliteConnection(file, { fileMustExist: true });
		try {
			return connection.prepare(sql).all();
		} finally {
			connection.close();
		}
	};
	return {
		address: `sqlite:${file}`,
		shared: false,
		rows,
		checkIntegrity: async () =>
			expect(await rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]),
		remove: async () => rmSync(folder, { recursive: true }),
	};
}

/** An empty database on the server that the project `postgres` of jest started. */
export async function postgresCrashStore(): Promise<CrashStore> {
	const { url, drop } = await createDatabase('template1');
	return postgresStoreAt(url, drop);
}

/** A database of any server. */
export function postgresStoreAt(url: string, remove: () => Promise<void>): CrashStore {
	return {
		address: url,
		shared: true,
		async rows(sql) {
			const client = new Client(url);
			await client.connect();
			return (await client.query(sql).finally(async () => await client.end())).rows;
		},
		// The server checks its own files when it starts after a crash of its own; here only clients die.
		checkIntegrity: async () => {},
		remove,
	};
}
