/** A disk that is full while the log is looked at or begun anew is no failure of the commit before, and ends nothing. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type SqliteConnection from 'better-sqlite3';
import { Checkpoints } from '../../../service/store/sqlite/checkpoints';
import { waitUntil } from '../../wait-until';

/** So many commits it takes at most until the log is looked at. */
const COMMITS = 16;

let folder: string;
let worker: string;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'durable-checkpoints-'));
	worker = join(folder, 'worker.js');
	writeFileSync(
		worker,
		`const { parentPort } = require('node:worker_threads');
		parentPort.on('message', (m) => m === 'close' ? parentPort.close() : parentPort.postMessage('done'));`,
	);
});
afterAll(() => rmSync(folder, { recursive: true }));

const full = () => {
	throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
};

/** A connection that answers the two pragmas as told. */
function connectionWith(look: () => unknown, begin: () => unknown): SqliteConnection.Database {
	return {
		open: true,
		inTransaction: false,
		pragma: () => undefined,
		prepare: (sql: string) => ({ get: sql.includes('NOOP') ? look : begin }),
	} as unknown as SqliteConnection.Database;
}

test('a look at the log that fails does not fail the commit', () => {
	const checkpoints = new Checkpoints(connectionWith(full, full), join(folder, 'j.db'), worker);
	for (let commit = 0; commit < COMMITS; commit++) checkpoints.committed();
});

test('a log that cannot be begun anew is left as it is', async () => {
	let looks = 0;
	let begun = 0;
	const checkpoints = new Checkpoints(
		connectionWith(
			() => ({ log: 5_000, checkpointed: looks++ === 0 ? 0 : 5_000 }),
			() => {
				begun++;
				full();
			},
		),
		join(folder, 'j.db'),
		worker,
	);
	for (let commit = 0; commit < COMMITS; commit++) checkpoints.committed();
	await waitUntil('the log to be begun anew in vain', () => begun > 0);
	checkpoints.committed();
	await checkpoints.close();
});
