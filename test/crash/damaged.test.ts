/** Pages that are damaged while a journal is stopped: what lies on them is refused clearly, the rest goes on. */
import { mkdtempSync, openSync, rmSync, statSync, writeSync, closeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteConnection from 'better-sqlite3';
import { startJournal, type Journal } from '../journal-process';

const COUNT = 200;

let folder: string;
let file: string;
let journal: Journal | undefined;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'durable-damaged-'));
	file = join(folder, 'journal.db');
});
afterEach(async () => {
	await journal?.stop();
	rmSync(folder, { recursive: true });
});

const claimOf = (index: number) => ({ runId: `r${index}`, step: 's', input: index });

async function fill(): Promise<void> {
	for (let index = 0; index < COUNT; index++) {
		const { body } = await journal!.request('POST', '/v1/steps/claim', claimOf(index));
		const result = String(index).repeat(1_000);
		const complete = { fencingToken: body.fencingToken, result };
		await journal!.request('POST', `/v1/steps/${body.key}/complete`, complete);
	}
}

/** Overwrites pages in the middle of the table of steps. */
function damage(): void {
	const connection = new SqliteConnection(file);
	connection.pragma('wal_checkpoint(TRUNCATE)');
	const size = connection.pragma('page_size', { simple: true }) as number;
	const pages = connection
		.prepare<[], number>(
			"SELECT pageno FROM dbstat WHERE name = 'steps' AND pagetype = 'leaf' ORDER BY pageno",
		)
		.pluck()
		.all();
	connection.close();
	const descriptor = openSync(file, 'r+');
	for (const page of pages.slice(10, 20))
		writeSync(descriptor, Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size);
	closeSync(descriptor);
	expect(statSync(file).size).toBeGreaterThan(pages.length * size);
}

test('answers are right or refused as damaged, never made up', async () => {
	journal = await startJournal({ database: `sqlite:${file}` });
	await fill();
	await journal.kill('SIGTERM');
	damage();
	await journal.restart();
	const answers: string[] = [];
	for (let index = 0; index < COUNT; index++) {
		const { status, body } = await journal.request('POST', '/v1/steps/claim', claimOf(index));
		if (status === 200) expect(body.result).toBe(String(index).repeat(1_000));
		answers.push(status === 200 ? body.outcome : body.code);
	}
	expect(new Set(answers)).toEqual(new Set(['replay', 'store_damaged']));
	const fresh = await journal.request('POST', '/v1/steps/claim', claimOf(COUNT));
	expect(fresh.body.outcome).toBe('execute');
	expect(journal.log()).toContain('database disk image is malformed');
});
