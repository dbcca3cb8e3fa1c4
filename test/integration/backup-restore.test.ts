/** `durable-journal backup` and `restore` as processes, on the database of a journal that works. */
import {
	copyFileSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeRuntime } from '../../tools/node-runtime.mjs';
import { ROOT } from '../../tools/paths.mjs';
import { startProcess } from '../child-process';
import { startJournal, type Journal } from '../journal-process';
import { waitUntil } from '../wait-until';

jest.setTimeout(60_000);

let folder: string;
let journal: Journal | undefined;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'durable-backup-'));
});
afterEach(async () => {
	await journal?.stop();
	journal = undefined;
	rmSync(folder, { recursive: true });
});

const path = (name: string) => join(folder, name);
const start = async () =>
	(journal = await startJournal({ database: `sqlite:${path('journal.db')}` }));

/** Runs the command on `database` until it ends. */
async function command(args: string[], database = path('journal.db')) {
	const running = startProcess(nodeRuntime(), [join(ROOT, 'service', 'dist', 'cli.js'), ...args], {
		cwd: folder,
		env: {
			PATH: process.env.PATH,
			JOURNAL_DATABASE: database.includes(':') ? database : `sqlite:${database}`,
		},
	});
	const code = await waitUntil('the command to end', () => {
		const ended = running.ended();
		return ended === undefined ? undefined : [ended];
	});
	return { code: code[0], output: running.log() };
}

const claim = async (runId: string, step: string) =>
	(await journal!.request('POST', '/v1/steps/claim', { runId, step, input: step })).body;
const completeStep = async (runId: string, step: string, result: unknown) => {
	const { key, fencingToken } = await claim(runId, step);
	await journal!.request('POST', `/v1/steps/${key}/complete`, { fencingToken, result });
};

/** Completes steps of a run until stopped; `acknowledged` are those that were answered. */
function load(runId: string, callers: number) {
	const acknowledged: number[] = [];
	let next = 0;
	let stopped = false;
	const caller = async () => {
		while (!stopped) {
			const number = next++;
			await completeStep(runId, `s${number}`, { number });
			acknowledged.push(number);
		}
	};
	const callersDone = Promise.all(Array.from({ length: callers }, caller));
	return {
		acknowledged,
		stop: async () => {
			stopped = true;
			await callersDone;
		},
	};
}

test('a backup under load, the original lost, restored: nothing from before it is missing', async () => {
	await start();
	const large = { text: 'x'.repeat(1_000_000) };
	await completeStep('r', 'large', large);
	const gate = await journal!.request('POST', '/v1/gates', {
		runId: 'r',
		gate: 'g',
		input: 1,
		title: 'Go on?',
		message: '',
	});
	const running = load('r', 8);
	await waitUntil('some load', () => running.acknowledged.length > 200);
	const before = [...running.acknowledged];
	const backup = await command(['backup', path('backup.db')]);
	const during = running.acknowledged.length;
	await running.stop();
	expect(backup).toMatchObject({ code: 0, output: expect.stringContaining('copied 100 %') });
	expect(during).toBeGreaterThan(before.length);
	expect(statSync(path('backup.db')).mode & 0o777).toBe(0o600);

	await journal!.kill();
	for (const name of readdirSync(folder)) if (name.startsWith('journal.db')) rmSync(path(name));
	expect(await command(['restore', path('backup.db')])).toMatchObject({ code: 0 });
	await journal!.restart();
	for (const number of before)
		expect(await claim('r', `s${number}`)).toMatchObject({ outcome: 'replay', result: { number } });
	expect(await claim('r', 'large')).toMatchObject({ outcome: 'replay', result: large });
	const decided = await journal!.admin('POST', `/v1/gates/${gate.body.gateId}/decide`, {
		decision: 'approve',
		by: 'ops',
	});
	expect(decided.body).toMatchObject({ state: 'approved' });
});

test('a backup of a stopped journal, and again: nothing is overwritten', async () => {
	await start();
	await completeStep('r', 's', 1);
	await journal!.kill('SIGTERM');
	expect((await command(['backup', path('backup.db')])).code).toBe(0);
	const first = readFileSync(path('backup.db'));
	const again = await command(['backup', path('backup.db')]);
	expect(again).toMatchObject({ code: 1, output: expect.stringContaining('is not overwritten') });
	expect(readFileSync(path('backup.db')).equals(first)).toBe(true);
	expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('keys that were made at random are part of it, and come back', async () => {
	const env = { JOURNAL_API_KEY: '', JOURNAL_ADMIN_KEY: '', JOURNAL_SECRET: '' };
	journal = await startJournal({ database: `sqlite:${path('journal.db')}`, env });
	await journal.kill('SIGTERM');
	const { output } = await command(['backup', path('backup.db')]);
	for (const name of ['secret', 'api-key']) {
		expect(output).toContain(`backup.db.${name}`);
		expect(statSync(path(`backup.db.${name}`)).mode & 0o777).toBe(0o600);
		expect(output).not.toContain(readFileSync(path(`backup.db.${name}`), 'utf8'));
	}
	const secret = readFileSync(path('journal.db.secret'), 'utf8');
	for (const name of readdirSync(folder)) if (name.startsWith('journal.db')) rmSync(path(name));
	expect((await command(['restore', path('backup.db')])).code).toBe(0);
	expect(readFileSync(path('journal.db.secret'), 'utf8')).toBe(secret);
	expect(statSync(path('journal.db.secret')).mode & 0o777).toBe(0o600);
	await journal.restart();
});

test('a secret of the environment is no part of it, and that is said', async () => {
	await start();
	expect((await command(['backup', path('backup.db')])).output).toContain('Keep JOURNAL_SECRET');
});

describe('restore takes care', () => {
	beforeEach(async () => {
		await start();
		await completeStep('r', 'old', 1);
		await command(['backup', path('backup.db')]);
		await completeStep('r', 'new', 2);
	});

	test('a journal runs there: refused, also by force', async () => {
		for (const force of [[], ['--force']])
			expect(await command(['restore', path('backup.db'), ...force])).toMatchObject({
				code: 1,
				output: expect.stringContaining('A journal runs on'),
			});
		expect(await claim('r', 'new')).toMatchObject({ outcome: 'replay', result: 2 });
	});

	test('a journal is there: refused; by force it is kept under another name, whole', async () => {
		// Killed, so that its last writes are in the write-ahead log alone.
		await journal!.kill();
		const refused = await command(['restore', path('backup.db')]);
		expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('--force') });
		const forced = await command(['restore', '--force', path('backup.db')]);
		expect(forced).toMatchObject({ code: 0, output: expect.stringContaining('is kept as') });
		const kept = readdirSync(folder).find((name) =>
			/^journal\.db\.before-restore-\w+$/.test(name),
		)!;
		await journal!.restart();
		expect((await claim('r', 'new')).outcome).toBe('execute');
		const copy = await command(['backup', path('of-kept.db')], path(kept));
		expect(copy.output).toContain('1 runs with 2 steps');
	});

	test.each<[string, (file: string) => void]>([
		['no database', (file) => writeFileSync(file, 'x'.repeat(10_000))],
		['nothing', (file) => writeFileSync(file, '')],
		[
			'damaged',
			(file) => {
				copyFileSync(path('backup.db'), file);
				const bytes = readFileSync(file);
				writeFileSync(file, bytes.fill(0x5a, 8_192, 40_960));
			},
		],
		[
			'cut short',
			(file) => writeFileSync(file, readFileSync(path('backup.db')).subarray(0, 50_000)),
		],
	])('what is %s is no backup: nothing is touched', async (_, make) => {
		await journal!.kill('SIGTERM');
		make(path('bad.db'));
		const before = readFileSync(path('journal.db'));
		const refused = await command(['restore', '--force', path('bad.db')]);
		expect(refused).toMatchObject({
			code: 1,
			output: expect.stringContaining('Nothing was restored'),
		});
		expect(readFileSync(path('journal.db')).equals(before)).toBe(true);
		expect(readdirSync(folder).some((name) => /before-restore|\.part/.test(name))).toBe(false);
	});
});

test('PostgreSQL has its own tools: which, without the password', async () => {
	const url = 'postgres://journal:sesame@db.example.com:5432/journal';
	const refused = await command(['backup', 'backup.dump'], url);
	expect(refused.code).toBe(1);
	expect(refused.output).toContain('pg_dump --format=custom');
	expect(refused.output).not.toContain('sesame');
	expect((await command(['restore', 'backup.dump'], url)).output).toContain('pg_restore');
});

test('no journal, no command, no file: a sentence and an exit code', async () => {
	expect(await command(['backup', path('backup.db')])).toMatchObject({
		code: 1,
		output: expect.stringContaining('There is no journal at'),
	});
	expect(await command(['restore', path('none.db')])).toMatchObject({ code: 1 });
	expect(await command(['undo'])).toMatchObject({
		code: 2,
		output: expect.stringContaining('Usage'),
	});
	expect(await command(['--help'])).toMatchObject({ code: 0 });
	expect(existsSync(path('journal.db'))).toBe(false);
});
