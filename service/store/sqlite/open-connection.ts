import { platform } from 'node:os';
import SqliteConnection from 'better-sqlite3';

/**
 * Opens a database file in WAL mode with `synchronous=FULL`.
 * @param busyTimeoutMs how long a statement waits for a lock of another connection
 * @throws when FULL cannot be set
 */
export function openConnection(file: string, busyTimeoutMs: number): SqliteConnection.Database {
	const connection = new SqliteConnection(file, { timeout: busyTimeoutMs });
	connection.pragma('journal_mode = WAL');
	// better-sqlite3 13 is compiled with NORMAL for WAL, which loses commits at a power loss.
	connection.pragma('synchronous = FULL');
	if (platform() === 'darwin') connection.pragma('fullfsync = ON');
	// The pieces of a payload go with it.
	connection.pragma('foreign_keys = ON');
	if (connection.pragma('synchronous', { simple: true }) !== 2)
		throw new Error('SQLite did not accept synchronous=FULL; refusing to run without it.');
	return connection;
}
