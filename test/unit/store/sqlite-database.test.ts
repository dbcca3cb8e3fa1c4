import { migrations } from '../../../service/store/migrations';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteConnection from 'better-sqlite3';
import type { Queries } from '../../../service/store/database';
import { networkFileSystemName } from '../../../service/store/sqlite/network-file-system';
import { SqliteDatabase } from '../../../service/store/sqlite/sqlite-database';
import { testDatabase } from '../../conformance/database';

const folder = mkdtempSync(join(tmpdir(), 'durable-store-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string) => join(folder, name);

describe('on a file', () => {
	let number = 0;
	testDatabase(async () => ({ database: new SqliteDatabase(file(`${++number}.db`), () => 1) }));
});

describe('in memory', () => {
	testDatabase(async () => ({ database: new SqliteDatabase(':memory:', () => 1) }));
});

test('only what is written ahead alone is committed without waiting for the disk', async () => {
	const database = new SqliteDatabase(file('ahead.db'), () => 1);
	const level = async (queries: Queries) => await queries.get('PRAGMA synchronous');
	const [FULL, NORMAL] = [{ synchronous: 2 }, { synchronous: 1 }];
	expect(await database.writeAhead(level)).toEqual(NORMAL);
	expect(await database.write([], level)).toEqual(FULL);
	expect(await Promise.all([database.writeAhead(level), database.write([], level)])).toEqual([
		FULL,
		FULL,
	]);
	await database.close();
});

test('WAL with FULL synchronisation, read back', async () => {
	const database = new SqliteDatabase(file('pragma.db'), () => 1);
	const pragmas = await database.read(async (queries) => [
		await queries.get('PRAGMA journal_mode'),
		await queries.get('PRAGMA synchronous'),
	]);
	expect(pragmas).toEqual([{ journal_mode: 'wal' }, { synchronous: 2 }]);
	await database.close();
});

test('a database of a newer journal is refused', async () => {
	await new SqliteDatabase(file('newer.db'), () => 1).close();
	const connection = new SqliteConnection(file('newer.db'));
	connection.prepare('INSERT INTO schema_versions VALUES (99, 1)').run();
	connection.close();
	expect(() => new SqliteDatabase(file('newer.db'), () => 1)).toThrow(/schema version 99/);
});

test('opening again finds the schema in place', async () => {
	await new SqliteDatabase(file('again.db'), () => 1).close();
	await new SqliteDatabase(file('again.db'), () => 1).close();
	const connection = new SqliteConnection(file('again.db'));
	expect(connection.prepare('SELECT count(*) AS n FROM schema_versions').get()).toEqual({
		n: migrations.length,
	});
	connection.close();
});

test('a locked database is a StoreBusyError, and nothing of the batch is kept', async () => {
	const database = new SqliteDatabase(file('locked.db'), () => 1, { busyTimeoutMs: 20 });
	const other = new SqliteConnection(file('locked.db'));
	other.exec('BEGIN IMMEDIATE');
	const writes = [1, 2].map(async () =>
		database.write([], async (queries) => await queries.run('DELETE FROM timers')),
	);
	for (const outcome of await Promise.allSettled(writes))
		expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'StoreBusyError' } });
	other.exec('COMMIT');
	other.close();
	await expect(database.write([], async () => 'fine')).resolves.toBe('fine');
	await database.close();
});

test.each([
	[0x6969, 'NFS'],
	[0xff534d42 | 0, 'CIFS'],
	[0xef53, undefined],
])('statfs type %s is %s', (type, name) => expect(networkFileSystemName(type)).toBe(name));
