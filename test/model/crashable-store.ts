/** A store that can be killed at any instant and opened again. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../service/store/database';
import { PostgresDatabase } from '../../service/store/postgres/postgres-database';
import { SqliteDatabase } from '../../service/store/sqlite/sqlite-database';
import { createDatabase, onPostgres } from '../store-under-test';

export interface CrashableStore {
	open(now: () => number): Promise<Database>;
	/** What a kill at this very instant leaves behind is what the next `open` finds. */
	kill(): void;
	/** Called after everything that was opened is closed. */
	remove(): Promise<void>;
}

/** An empty store of the kind that this project of jest tests. */
export async function crashableStore(): Promise<CrashableStore> {
	return onPostgres() ? await onServer() : onFiles();
}

/** In memory where there is such a folder: a disk sync costs more than all else, and proves nothing here. */
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A kill leaves the files as they are, whatever the process had in memory: they are copied. */
function onFiles(): CrashableStore {
	const folder = mkdtempSync(join(FOLDER, 'durable-model-'));
	let image = 0;
	const file = () => join(folder, `${image}.db`);
	return {
		open: async (now) => new SqliteDatabase(file(), now),
		kill() {
			const before = file();
			image++;
			for (const part of ['', '-wal'])
				if (existsSync(before + part)) copyFileSync(before + part, file() + part);
		},
		remove: async () => rmSync(folder, { recursive: true }),
	};
}

/** The server undoes what a lost connection had begun; the throw that follows does the same. */
async function onServer(): Promise<CrashableStore> {
	const { url, drop } = await createDatabase();
	return {
		open: async (now) => await PostgresDatabase.open(url, { now, connections: 5 }),
		kill: () => {},
		remove: drop,
	};
}
