/** Operation HTTP Request in n8n's engine: what becomes of an answer, now and when it is replayed. */
import { randomBytes } from 'node:crypto';
import type { IBinaryData } from 'n8n-workflow';
import { startJournal, type Journal } from '../journal-process';
import { startReceiver, type Receiver } from '../stand-ins/http-receiver';
import { runInCore, type CoreResult } from './idempotent-tool-call-core';
import { inNode } from './in-node';
import { setBinaryMode, type BinaryMode } from './n8n-binary-data';

jest.setTimeout(60_000);

let journal: Journal;
let receiver: Receiver;
let prune: (() => Promise<void>) | undefined;
let runs = 0;
let runId: string;

beforeAll(async () => ([journal, receiver] = await Promise.all([startJournal(), startReceiver()])));
afterAll(async () => await Promise.all([journal?.stop(), receiver?.stop()]));
beforeEach(() => {
	receiver.received.length = 0;
	runId = `answer-${++runs}`;
});
afterEach(async () => await prune?.());

const run = async (options: Record<string, unknown>, method = 'POST') =>
	await runInCore({
		credential: journal,
		parameters: { operation: 'httpRequest', runId, method, url: `${receiver.baseUrl}/a/b.pdf` },
		options,
	});

/** What the journal keeps of the only step. */
async function kept(): Promise<string> {
	const { body } = await journal.request('GET', `/v1/runs/workflow-1%3A${runId}`);
	const step = await journal.request('GET', `/v1/steps/${body.steps[0].key}`);
	return JSON.stringify(step.body.result);
}

const json = ({ items }: CoreResult) => items.map(({ durable: _, ...rest }) => rest);

/** The same now and from the journal, with one request. */
async function twice(options: Record<string, unknown>) {
	const first = await run(options);
	expect(first.error).toBeUndefined();
	const again = await run(options);
	expect(json(again)).toEqual(json(first));
	expect(again.items[0]).toMatchObject({ durable: { replayed: true } });
	expect(receiver.received).toHaveLength(1);
	return json(first);
}

const COOKIE = 'session=the-secret';

describe('output', () => {
	beforeEach(() => {
		receiver.answer = () => ({
			status: 201,
			headers: { 'set-cookie': [COOKIE], 'x-total': '7' },
			body: '{"error":{"code":0},"id":7}',
		});
	});

	it('status and body: no header is kept', async () => {
		expect(await twice({})).toEqual([{ statusCode: 201, body: { error: { code: 0 }, id: 7 } }]);
		expect(await kept()).not.toContain('the-secret');
	});

	it('full response', async () => {
		expect(await twice({ responseOutput: 'full' })).toEqual([
			{
				statusCode: 201,
				statusMessage: 'Created',
				headers: expect.objectContaining({ 'set-cookie': [COOKIE], 'x-total': '7' }),
				body: { error: { code: 0 }, id: 7 },
			},
		]);
	});

	it('body only: what n8n would take for a failure is one level down', async () => {
		expect(await twice({ responseOutput: 'body' })).toEqual([
			{ body: { error: { code: 0 }, id: 7 } },
		]);
		expect(await kept()).not.toContain('the-secret');
	});

	it.each<[string, unknown]>([
		['[{"id":1},{"id":2},3]', [{ id: 1 }, { id: 2 }, { data: 3 }]],
		['[]', [{ data: [] }]],
		['{"error":null,"id":1}', [{ error: null, id: 1 }]],
		['null', [{ data: null }]],
		['plain', [{ data: 'plain' }]],
	])('body only: %s', async (body, items) => {
		receiver.answer = () => ({ body });
		expect(await twice({ responseOutput: 'body' })).toEqual(items);
	});
});

describe('text', () => {
	it.each<[string, Buffer, string]>([
		['application/json', Buffer.from('{ "a": 1.0 }'), '{ "a": 1.0 }'],
		['text/plain; charset=iso-8859-1', Buffer.from([0xe4]), 'ä'],
		['text/plain; charset="UTF-8"', Buffer.from('ä'), 'ä'],
		['text/plain; charset=nobody-knows', Buffer.from('ä'), 'ä'],
	])('%s', async (type, body, text) => {
		receiver.answer = () => ({ headers: { 'content-type': type }, body });
		expect(await twice({ responseFormat: 'text' })).toEqual([{ statusCode: 200, body: text }]);
	});
});

/** A file of the output, as a node after this one reads it. */
async function fileOf({ run: ran }: CoreResult, field = 'data') {
	const [item] = ran.data.resultData.runData.Call!.at(-1)!.data!.main[0]!;
	const file = item!.binary![field] as IBinaryData;
	const bytes = await inNode(async ({ helpers }) => await helpers.getBinaryDataBuffer(0, file));
	return { name: file.fileName, type: file.mimeType, bytes };
}

describe('file', () => {
	const PDF = randomBytes(50_000);
	const asFile = { responseFormat: 'file', responseFileField: 'invoice' };

	it.each<BinaryMode>(['default', 'filesystem'])(
		'%s: whole again after n8n lost it',
		async (mode) => {
			prune = await setBinaryMode(mode);
			receiver.answer = () => ({
				headers: {
					'content-type': 'application/pdf',
					'content-disposition': 'attachment; filename="invoice.pdf"',
				},
				body: PDF,
			});
			const first = await run(asFile);
			const file = { name: 'invoice.pdf', type: 'application/pdf', bytes: PDF };
			expect(await fileOf(first, 'invoice')).toEqual(file);
			await prune();
			const again = await run(asFile);
			expect(again.items[0]).toMatchObject({ statusCode: 200, durable: { replayed: true } });
			expect(await fileOf(again, 'invoice')).toEqual(file);
			expect(receiver.received).toHaveLength(1);
		},
	);

	it('one too large for the journal is found in n8n while it is there, then the step says so', async () => {
		prune = await setBinaryMode('filesystem');
		const large = randomBytes(5_000_000);
		receiver.answer = () => ({ headers: { 'content-type': 'video/mp4' }, body: large });
		const first = await run({ responseFormat: 'file' });
		expect((await fileOf(first)).bytes.equals(large)).toBe(true);
		const again = await run({ responseFormat: 'file' });
		const found = await fileOf(again);
		expect([found.name, found.bytes.equals(large)]).toEqual(['b.pdf', true]);
		expect(again.items[0]).toMatchObject({ durable: { replayed: true } });
		await prune();
		const gone = await run({ responseFormat: 'file' });
		expect(gone.error?.message).toMatch(/is done, but its result.*was not kept/);
		expect(receiver.received).toHaveLength(1);
	});

	it('one too large in memory goes out, and the journal says that it was not kept', async () => {
		prune = await setBinaryMode('default');
		receiver.answer = () => ({ body: randomBytes(5_000_000) });
		const first = await run({ responseFormat: 'file' });
		expect((await fileOf(first)).bytes).toHaveLength(5_000_000);
		expect(first.run.data.resultData.runData.Call!.at(-1)!.hints).toEqual([
			expect.objectContaining({ message: expect.stringMatching(/was not kept/) }),
		]);
		expect((await run({ responseFormat: 'file' })).error?.message).toMatch(/was not kept/);
		expect(receiver.received).toHaveLength(1);
	});

	it('an empty one is a file', async () => {
		prune = await setBinaryMode('default');
		receiver.answer = () => ({ body: '' });
		expect((await fileOf(await run({ responseFormat: 'file' }))).bytes).toHaveLength(0);
	});
});

it.each(['auto', 'text', 'file'])('%s: a refusal is read as JSON all the same', async (format) => {
	receiver.answer = () => ({
		status: 429,
		body: '{"error":{"code":"insufficient_quota","message":"no credit left"}}',
	});
	const { error } = await run({ responseFormat: format });
	expect(error?.message).toMatch(/trying again as it is will not help: .*no credit left/);
	expect(receiver.received).toHaveLength(1);
});
