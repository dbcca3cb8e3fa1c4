/** The write-ahead log stays short, with the thread that works on it and without. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteDatabase } from '../../service/store/sqlite/sqlite-database';
import { ROOT } from '../../tools/paths.mjs';

const WORKER = join(ROOT, 'service', 'dist', 'store', 'sqlite', 'checkpoint-worker.js');
const PAGE = 4_096 + 24;
const folder = mkdtempSync(join(tmpdir(), 'durable-checkpoints-'));
afterAll(() => rmSync(folder, { recursive: true }));

const logPages = (file: string) => Math.floor(statSync(`${file}-wal`).size / PAGE);

/** Writes that many pages, 16 a commit. */
async function write(database: SqliteDatabase, pages: number): Promise<void> {
	const json = 'x'.repeat(64_000);
	for (let written = 0; written < pages; written += 16)
		await database.writeAhead(async (queries) => {
			await queries.run('DELETE FROM payloads');
			await queries.run('INSERT INTO payloads (json, pieces) VALUES (?, 0)', json);
		});
}
const automatic = async (database: SqliteDatabase) =>
	await database.read(async (queries) => await queries.get('PRAGMA wal_autocheckpoint'));

test('with a thread: bounded, and never checkpointed in a commit before that bound', async () => {
	const file = join(folder, 'thread.db');
	const database = new SqliteDatabase(file, () => 1, { checkpointWorker: WORKER });
	expect(await automatic(database)).toEqual({ wal_autocheckpoint: 8_192 });
	await write(database, 20_000);
	expect(logPages(file)).toBeLessThan(9_000);
	await database.close();
	expect(() => statSync(`${file}-wal`)).toThrow('ENOENT');
});

test.each([
	['cannot start', "throw new Error('no')"],
	[
		'dies at its first work',
		"require('node:worker_threads').parentPort.once('message', () => process.exit(1))",
	],
])('with a thread that %s: as short as without one', async (name, code) => {
	const worker = join(folder, 'worker.cjs');
	writeFileSync(worker, code);
	const file = join(folder, `${name}.db`);
	const database = new SqliteDatabase(file, () => 1, { checkpointWorker: worker });
	await write(database, 5_000);
	expect(await automatic(database)).toEqual({ wal_autocheckpoint: 1_000 });
	const before = logPages(file);
	await write(database, 10_000);
	expect(logPages(file)).toBeLessThanOrEqual(before);
	await database.close();
});

test('without the compiled thread: as SQLite does it', async () => {
	const file = join(folder, 'none.db');
	const database = new SqliteDatabase(file, () => 1, { checkpointWorker: join(folder, 'none.js') });
	await write(database, 5_000);
	expect(logPages(file)).toBeLessThan(1_100);
	await database.close();
});
