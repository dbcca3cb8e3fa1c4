/** The thread that reads large bodies, and large payloads over the death of the journal. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteConnection from 'better-sqlite3';
import { BodyThread } from '../../service/http/large-bodies/body-thread';
import { ROOT } from '../../tools/paths.mjs';
import { openApi } from '../api';
import { startJournal } from '../journal-process';

const WORKER = join(ROOT, 'service', 'dist', 'http', 'large-bodies', 'body-worker.js');
const folder = mkdtempSync(join(tmpdir(), 'durable-large-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A thread that does what `code` says with each message, before the worker gets it. */
function threadWith(code: string): BodyThread {
	const file = join(folder, 'worker.cjs');
	writeFileSync(
		file,
		`const { parentPort } = require('node:worker_threads');
		const on = parentPort.on.bind(parentPort);
		parentPort.on = (name, listener) => on(name, (message) => {
			const text = Buffer.from(message.bytes).toString();
			${code}
			listener(message);
		});
		require(${JSON.stringify(WORKER)});`,
	);
	return new BodyThread(file);
}

const large = (mark: string) => [mark, 'x'.repeat(300_000)];

test.each([
	['ends', 'process.exit(1)'],
	['throws', "throw new Error('broken')"],
])(
	'a thread that %s: 503 that may be retried, and the next request has another',
	async (_, dies) => {
		const api = await openApi({}, threadWith(`if (text.includes('kill')) ${dies};`));
		const claim = async (mark: string) =>
			await api.post('/v1/steps/claim', { runId: 'r', step: mark, input: large(mark) });
		expect((await claim('first')).body.outcome).toBe('execute');
		expect(await claim('kill')).toMatchObject({
			status: 503,
			body: { code: 'store_busy', retryAfterMs: expect.any(Number) },
			headers: { 'retry-after': expect.any(String) },
		});
		expect((await claim('last')).body.outcome).toBe('execute');
		await api.close();
	},
);

test('more bodies than a thread that hangs may hold are refused, and closing ends all', async () => {
	const thread = threadWith('for (;;);');
	const bodies = Array.from({ length: 18 }, async () => await thread.condense(Buffer.alloc(1)));
	const outcomes = Promise.allSettled(bodies);
	await expect(bodies[17]).rejects.toMatchObject({ code: 'store_busy' });
	await thread.close();
	for (const { status } of await outcomes) expect(status).toBe('rejected');
});

test('15.9 MB come back exactly from a journal that was killed and started again', async () => {
	const journal = await startJournal();
	const value = Array.from({ length: 15_900 }, (_, id) => ({ id, text: 'Zoë €😀'.repeat(66) }));
	const body = { runId: 'r', step: 's', input: value };
	const { key, fencingToken } = (await journal.request('POST', '/v1/steps/claim', body)).body;
	await journal.request('POST', `/v1/steps/${key}/complete`, { fencingToken, result: value });
	await journal.restart();
	const replay = await journal.request('POST', '/v1/steps/claim', body);
	expect(replay.body.outcome).toBe('replay');
	expect(JSON.stringify(replay.body.result) === JSON.stringify(value)).toBe(true);
	await journal.stop();
});

test('killed while the pieces of a result are written: the step has no result, or all of it', async () => {
	const journal = await startJournal();
	const { body } = await journal.request('POST', '/v1/steps/claim', {
		runId: 'r',
		step: 's',
		input: 1,
	});
	const result = 'x'.repeat(15_000_000);
	const file = journal.database.replace('sqlite:', '');
	const reader = new SqliteConnection(file, { readonly: true });
	const pieces = reader.prepare<[], number>('SELECT count(*) FROM payload_pieces').pluck();
	const completing = journal
		.request('POST', `/v1/steps/${body.key}/complete`, { fencingToken: body.fencingToken, result })
		.catch(() => 'cut off');
	while (pieces.get() === 0) await new Promise((resolve) => setImmediate(resolve));
	await journal.kill('SIGKILL');
	reader.close();
	const outcome = await completing;
	await journal.restart();
	const { body: step } = await journal.request('GET', `/v1/steps/${body.key}`);
	if (outcome !== 'cut off') expect(step.state).toBe('completed');
	expect([step.state, step.result?.length]).toEqual(
		step.state === 'completed' ? ['completed', result.length] : ['claimed', undefined],
	);
	const again = await journal.request('POST', `/v1/steps/${body.key}/complete`, {
		fencingToken: body.fencingToken,
		result,
	});
	expect(again.body).toEqual({ state: 'completed' });
	await journal.stop();
});
