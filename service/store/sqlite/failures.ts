import type { StoreFailure } from '../database';

/** Result codes of SQLite (https://www.sqlite.org/rescode.html), each with its extended ones. */
const BUSY = ['SQLITE_BUSY', 'SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_CANTOPEN', 'SQLITE_READONLY'];
const DAMAGED = ['SQLITE_CORRUPT', 'SQLITE_NOTADB'];
/** Of the system, where the journal itself syncs a file. */
const SYSTEM = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EMFILE', 'ENFILE', 'EACCES', 'ENOENT'];

/** What an error of SQLite or of its files means; undefined when the statement is at fault. */
export function failureOf(error: unknown): StoreFailure | undefined {
	const code = (error as { code?: unknown }).code;
	if (typeof code !== 'string') return undefined;
	const isOneOf = (kinds: readonly string[]) =>
		kinds.some((kind) => code === kind || code.startsWith(`${kind}_`));
	if (isOneOf(DAMAGED)) return 'damaged';
	return isOneOf(BUSY) || SYSTEM.includes(code) ? 'busy' : undefined;
}
