import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import SqliteConnection from 'better-sqlite3';
import { refuseNewerSchema } from '../migrations/refuse-newer-schema';
import { kindOf } from './kind-of-file';
import { schemaVersionOf } from './schema-version';

/** What is in a journal, told to the person who copies it. */
export interface JournalFacts {
	readonly runs: number;
	readonly steps: number;
	/** When it last changed, milliseconds since the epoch; undefined when it is empty. */
	readonly lastActivityAt: number | undefined;
}

/** A whole copy that is on the disk, under a name of its own until `publish` gives it its own. */
export interface JournalCopy {
	readonly facts: JournalFacts;
	/** @throws when something has that name by now */
	publish(): void;
	/** To be called in any case: removes what was not published. */
	discard(): void;
}

const PAGES_PER_STEP = 1_000;

/**
 * Copies a journal as it is at this moment, also while a service writes to it: one read transaction
 * sees one state, where SQLite's backup would otherwise begin again with every write of another
 * process. The copy is one file of mode 600 without a write-ahead log, checked and synced.
 * @param progress is told the part that is copied, 0 to 1
 * @throws Error in a sentence, when the source is no whole journal of a schema that is known
 */
export async function copyJournal(
	source: string,
	target: string,
	progress: (done: number) => void,
): Promise<JournalCopy> {
	const part = `${target}.${randomBytes(6).toString('hex')}.part`;
	const discard = () => {
		for (const suffix of ['', '-journal', '-wal', '-shm'])
			rmSync(`${part}${suffix}`, { force: true });
	};
	try {
		writeFileSync(part, '', { mode: 0o600, flag: 'wx' });
		await copyPages(source, part, progress);
		const facts = check(source, part);
		sync(part);
		return { facts, discard, publish: () => publish(part, target) };
	} catch (error) {
		discard();
		throw error;
	}
}

async function copyPages(
	source: string,
	part: string,
	progress: (done: number) => void,
): Promise<void> {
	const connection = new SqliteConnection(source, { readonly: true, fileMustExist: true });
	try {
		connection.exec('BEGIN');
		if (kindOf(connection) !== 'journal') throw new Error(`${source} is not a journal.`);
		await connection.backup(part, {
			progress: ({ totalPages, remainingPages }) => {
				progress(totalPages === 0 ? 0 : 1 - remainingPages / totalPages);
				return PAGES_PER_STEP;
			},
		});
		progress(1);
	} catch (error) {
		if ((error as { code?: unknown }).code !== 'SQLITE_NOTADB') throw error;
		throw new Error(`${source} is not an SQLite database.`, { cause: error });
	} finally {
		connection.close();
	}
}

function check(source: string, part: string): JournalFacts {
	const connection = new SqliteConnection(part, { fileMustExist: true });
	try {
		// One file that can be copied and read anywhere; the service turns WAL on again.
		connection.pragma('journal_mode = DELETE');
		const integrity = connection.pragma('integrity_check', { simple: true });
		if (integrity !== 'ok') throw new Error(`${source} is damaged: ${String(integrity)}.`);
		const value = (sql: string) => connection.prepare<[], number | null>(sql).pluck().get() ?? null;
		refuseNewerSchema(schemaVersionOf(connection));
		return {
			runs: value('SELECT count(*) FROM runs') ?? 0,
			steps: value('SELECT count(*) FROM steps') ?? 0,
			lastActivityAt: value('SELECT max(updated_at) FROM runs') ?? undefined,
		};
	} finally {
		connection.close();
	}
}

/** Gives the copy its name; a link, since a rename would replace what is there. */
function publish(part: string, target: string): void {
	linkSync(part, target);
	rmSync(part);
	sync(dirname(target));
}

function sync(path: string): void {
	const descriptor = openSync(path, 'r');
	fsyncSync(descriptor);
	closeSync(descriptor);
}
