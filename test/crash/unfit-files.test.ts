/** Files and folders that no journal can work with: the start is refused in one line, and they stay as they are. */
import { createHash, randomBytes } from 'node:crypto';
import {
	chmodSync,
	chownSync,
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteConnection from 'better-sqlite3';
import { nodeRuntime } from '../../tools/node-runtime.mjs';
import { ROOT } from '../../tools/paths.mjs';
import { startProcess } from '../child-process';
import { freePort } from '../free-port';
import { startJournal } from '../journal-process';
import { waitUntil } from '../wait-until';
import { canMount, mountSmallDisk } from './small-disk';

const MAIN = join(ROOT, 'service', 'dist', 'main.js');

let folder: string;
let file: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'durable-unfit-'));
	file = join(folder, 'journal.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a journal that must end by itself. */
async function startInVain(
	database = `sqlite:${file}`,
	{ prefix = [], env = {} }: { prefix?: string[]; env?: Record<string, string> } = {},
): Promise<{ code: number | string; lines: string[] }> {
	const [command, ...args] = [...prefix, nodeRuntime(), MAIN] as [string, ...string[]];
	const started = startProcess(command, args, {
		cwd: tmpdir(),
		env: {
			PATH: process.env.PATH,
			JOURNAL_PORT: String(await freePort()),
			JOURNAL_DATABASE: database,
			JOURNAL_LOG_LEVEL: 'fatal',
			...env,
		},
	});
	try {
		const code = await waitUntil('the start to be refused', () =>
			started.ended() === undefined ? undefined : { value: started.ended()! },
		);
		return { code: code.value, lines: started.log().trim().split('\n') };
	} finally {
		await started.kill();
	}
}

const digest = (path = file) => createHash('sha256').update(readFileSync(path)).digest('hex');

async function expectRefused(reason: RegExp): Promise<void> {
	const before = digest();
	const { code, lines } = await startInVain();
	expect({ code, lines }).toEqual({ code: 1, lines: [expect.stringMatching(reason)] });
	expect(lines[0]).toMatch(/^durable-journal cannot start: /);
	expect(digest()).toBe(before);
}

/** The file of a journal that has worked. */
async function makeJournal(): Promise<void> {
	const journal = await startJournal({ database: `sqlite:${file}` });
	const claim = { runId: 'r', step: 's', input: 'x'.repeat(30_000) };
	await journal.request('POST', '/v1/steps/claim', claim);
	await journal.kill('SIGTERM');
}

test('a text', async () => {
	writeFileSync(file, 'Dear diary,\n'.repeat(1_000));
	await expectRefused(/file is not a database.*is no database: name a file/);
});

test.each(['DELETE', 'WAL'])('the database of another program, in mode %s', async (mode) => {
	const connection = new SqliteConnection(file);
	connection.pragma(`journal_mode = ${mode}`);
	connection.exec('CREATE TABLE runs (id INTEGER PRIMARY KEY, title TEXT)');
	connection.close();
	await expectRefused(/database of another program: name a file/);
});

test('the journal of a newer version', async () => {
	await makeJournal();
	const connection = new SqliteConnection(file);
	connection.exec('INSERT INTO schema_versions VALUES (9999, 0)');
	connection.pragma('journal_mode = DELETE');
	connection.close();
	await expectRefused(/schema version 9999.*start the newer journal, or restore a backup/);
});

test('a journal that was cut off', async () => {
	await makeJournal();
	truncateSync(file, readFileSync(file).length / 2);
	await expectRefused(/is damaged: .*restore a backup/);
});

test('a journal whose table of contents is damaged', async () => {
	await makeJournal();
	const bytes = readFileSync(file);
	randomBytes(3_000).copy(bytes, 100);
	writeFileSync(file, bytes);
	await expectRefused(/is damaged: .*restore a backup/);
});

test('a write-ahead log of another file is not taken for its own', async () => {
	await makeJournal();
	const other = join(folder, 'other.db');
	const connection = new SqliteConnection(other);
	connection.pragma('journal_mode = WAL');
	connection.exec('CREATE TABLE t (x); INSERT INTO t VALUES (hex(randomblob(9000)))');
	copyFileSync(`${other}-wal`, `${file}-wal`);
	connection.close();
	const journal = await startJournal({ database: `sqlite:${file}` }).catch((error: Error) => error);
	// SQLite knows a log only by its own sums: it takes a whole one for the file's.
	expect(String(journal)).toMatch(/database of another program|is damaged/);
});

test('a PostgreSQL server that is away: named without its password', async () => {
	const database = `postgres://journal:open-sesame@127.0.0.1:${await freePort()}/journal`;
	const env = { JOURNAL_API_KEY: 'k'.repeat(32), JOURNAL_SECRET: 's'.repeat(32) };
	const { code, lines } = await startInVain(database, { env });
	expect({ code, lines }).toEqual({
		code: 1,
		lines: [expect.stringMatching(/^durable-journal cannot start: .*127\.0\.0\.1/)],
	});
	expect(lines.join()).not.toContain('open-sesame');
});

(process.getuid?.() === 0 ? test : test.skip)('a folder that is somebody else’s', async () => {
	const closed = join(folder, 'closed');
	mkdirSync(closed);
	writeFileSync(join(closed, 'journal.db'), '');
	chmodSync(closed, 0o555);
	chownSync(folder, 65534, 65534);
	const { code, lines } = await startInVain(`sqlite:${join(closed, 'journal.db')}`, {
		prefix: ['setpriv', '--reuid=65534', '--clear-groups'],
	});
	expect({ code, lines }).toEqual({
		code: 1,
		lines: [expect.stringMatching(/cannot start: .*must be able to write the file and its folder/)],
	});
});

(canMount ? describe : describe.skip)('on a disk of its own (needs root on Linux)', () => {
	test('one that is read-only', async () => {
		const disk = mountSmallDisk(8);
		try {
			disk.makeReadOnly();
			const { code, lines } = await startInVain(`sqlite:${join(disk.folder, 'journal.db')}`);
			expect(code).toBe(1);
			expect(lines).toEqual([expect.stringMatching(/must be able to write the file/)]);
		} finally {
			disk.remove();
		}
	});

	test('one that is full: it starts as soon as there is room, with nothing to clean up', async () => {
		const disk = mountSmallDisk(8);
		try {
			disk.fill();
			const path = join(disk.folder, 'journal.db');
			const { code, lines } = await startInVain(`sqlite:${path}`);
			expect(code).toBe(1);
			expect(lines).toEqual([expect.stringMatching(/the disk is full: free space there/)]);
			disk.free();
			const journal = await startJournal({ database: `sqlite:${path}` });
			await journal.stop();
			expect(existsSync(path)).toBe(true);
		} finally {
			disk.remove();
		}
	});
});
