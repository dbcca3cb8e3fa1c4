import SqliteConnection from 'better-sqlite3';

/** Whether a process works on this database: nobody else may have it open. */
export function isInUse(file: string): boolean {
	const connection = new SqliteConnection(file, { timeout: 0, fileMustExist: true });
	try {
		connection.pragma('locking_mode = EXCLUSIVE');
		connection.exec('BEGIN EXCLUSIVE; ROLLBACK');
		return false;
	} catch (error) {
		const code = String((error as { code?: unknown }).code);
		if (code.startsWith('SQLITE_BUSY')) return true;
		// No service runs on a file that is no database.
		if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) return false;
		throw error;
	} finally {
		connection.close();
	}
}
