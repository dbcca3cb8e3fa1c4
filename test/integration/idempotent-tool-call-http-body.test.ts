/** Operation HTTP Request in n8n's engine: each kind of body as a strict receiver gets it, and what of it is in the key. */
import { createHash } from 'node:crypto';
import type { IBinaryData, IBinaryKeyData } from 'n8n-workflow';
import { startJournal, type Journal } from '../journal-process';
import { readForm, startReceiver, type Received, type Receiver } from '../stand-ins/http-receiver';
import { runInCore, type CoreRun } from './idempotent-tool-call-core';
import { inNode } from './in-node';
import { setBinaryMode } from './n8n-binary-data';

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
	receiver.answer = () => ({});
	runId = `body-${++runs}`;
});
afterEach(async () => await prune?.());

const PDF = Buffer.from('%PDF-1.7\r\n--boundary\r\n\0\xff');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const inMemory = (bytes: Buffer, more: Partial<IBinaryData> = {}): IBinaryData => ({
	...{ data: bytes.toString('base64'), mimeType: 'application/pdf', fileName: 'invoice.pdf' },
	...more,
});

const run = async (parameters: Record<string, unknown>, more: Partial<CoreRun> = {}) =>
	await runInCore({
		credential: journal,
		...more,
		parameters: {
			...{ operation: 'httpRequest', runId, method: 'POST', url: `${receiver.baseUrl}/in` },
			...{ sendBody: true, ...parameters },
		},
	});
const withFile = (data: IBinaryData): Partial<CoreRun> => ({ files: [{ data }] });
const pairs = (...given: Array<[string, string]>) => ({
	parameters: given.map(([name, value]) => ({ name, value })),
});

/** What the journal says of the only step. */
async function theStep() {
	const { body } = await journal.request('GET', `/v1/runs/workflow-1%3A${runId}`);
	const steps = (body.steps ?? []) as Array<{ key: string; state: string }>;
	expect(steps).toHaveLength(1);
	const step = await journal.request('GET', `/v1/steps/${steps[0]!.key}`);
	return step.body as { key: string; state: string; input: Record<string, unknown> };
}

/** Takes one content type only, as a receiver does. */
const only =
	(type: string, isRight: (request: Received) => boolean | Promise<boolean>) =>
	async (request: Received) => {
		if (request.headers['content-type']?.split(';')[0] !== type) return { status: 415 };
		return { status: (await isRight(request)) ? 200 : 422 };
	};

const FILE_ID = { sha256: sha256(PDF), bytes: PDF.length, mimeType: 'application/pdf' };

const kinds: Array<
	[
		string,
		Record<string, unknown>,
		string,
		(request: Received) => boolean | Promise<boolean>,
		unknown,
	]
> = [
	[
		'json',
		{ body: '{ "a": [1, null] }' },
		'application/json',
		({ body }) => body.toString() === '{"a":[1,null]}',
		{ a: [1, null] },
	],
	[
		'form',
		{ formFields: pairs(['a', 'ä & =+'], ['tag', '1'], ['tag', '2']) },
		'application/x-www-form-urlencoded',
		({ body }) => body.toString() === 'a=%C3%A4+%26+%3D%2B&tag=1&tag=2',
		{ a: 'ä & =+', tag: ['1', '2'] },
	],
	[
		'multipart',
		{
			multipart: {
				parts: [
					{ kind: 'text', name: 'title "q"', value: 'line\r\nbreak' },
					{ kind: 'file', name: 'invoice', fileField: 'data' },
				],
			},
		},
		'multipart/form-data',
		async (request) => {
			const form = await readForm(request);
			const file = form.get('invoice') as File;
			return (
				form.get('title "q"') === 'line\r\nbreak' &&
				file.name === 'invoice.pdf' &&
				file.type === 'application/pdf' &&
				Buffer.from(await file.arrayBuffer()).equals(PDF)
			);
		},
		{ 'title "q"': 'line\r\nbreak', invoice: FILE_ID },
	],
	[
		'raw',
		{ rawContentType: 'application/xml', rawBody: '<a>ä</a>' },
		'application/xml',
		({ body }) => body.toString() === '<a>ä</a>',
		'<a>ä</a>',
	],
	[
		'raw',
		{ rawContentType: 'application/json', rawBody: '{ "a": no JSON' },
		'application/json',
		({ body }) => body.toString() === '{ "a": no JSON',
		'{ "a": no JSON',
	],
	[
		'raw',
		{ rawContentType: 'application/x-www-form-urlencoded', rawBody: 'a=ä' },
		'application/x-www-form-urlencoded',
		({ body }) => body.toString() === 'a=ä',
		'a=ä',
	],
	[
		'file',
		{ bodyFileField: 'data' },
		'application/pdf',
		({ body, headers }) => body.equals(PDF) && headers['content-length'] === String(PDF.length),
		FILE_ID,
	],
];

it.each(kinds)('%s', async (bodyKind, parameters, type, isRight, identity) => {
	receiver.answer = only(type, isRight);
	const first = await run({ bodyKind, ...parameters }, withFile(inMemory(PDF)));
	expect([first.error?.message, first.items[0]?.statusCode]).toEqual([undefined, 200]);
	const step = await theStep();
	expect(step.input.body).toEqual(identity);
	expect(receiver.received[0]!.headers['idempotency-key']).toBe(step.key);
	const again = await run({ bodyKind, ...parameters }, withFile(inMemory(PDF)));
	expect(again.items[0]).toMatchObject({ statusCode: 200, durable: { replayed: true } });
	expect(receiver.received).toHaveLength(1);
});

describe('a file', () => {
	const multipart = { parts: [{ kind: 'file', name: 'f', fileField: 'data' }] };

	it.each([
		['file', {}],
		['multipart', { multipart }],
	])('%s: from n8n’s storage, whole again at a second try', async (bodyKind, parameters) => {
		prune = await setBinaryMode('filesystem');
		const large = Buffer.alloc(3_000_000, 'durable ');
		let tries = 0;
		receiver.answer = () => ({ status: ++tries === 1 ? 429 : 200 });
		const { error } = await run({ bodyKind, ...parameters }, { files: [await stored(large)] });
		expect(error).toBeUndefined();
		expect(tries).toBe(2);
		for (const request of receiver.received) {
			const { body } = request;
			const sent =
				bodyKind === 'file'
					? body
					: Buffer.from(await ((await readForm(request)).get('f') as File).arrayBuffer());
			expect(sent.equals(large)).toBe(true);
		}
		expect(JSON.stringify((await theStep()).input)).toContain(sha256(large));
	});

	it('is the same by its content, whatever its name, and another content is refused', async () => {
		const call = { bodyKind: 'multipart', multipart };
		await run(call, withFile(inMemory(PDF, { fileName: '09-00.pdf' })));
		const renamed = await run(call, withFile(inMemory(PDF, { fileName: '09-01.pdf' })));
		expect(renamed.items[0]).toMatchObject({ durable: { replayed: true } });
		const other = await run(call, withFile(inMemory(Buffer.from('other'))));
		expect(other.error?.message).toMatch(/changed: .*\/body\/f\/sha256/);
		expect(receiver.received).toHaveLength(1);
	});

	it.each([
		['file', { bodyFileField: 'missing' }, /no file in the field "missing".*nothing was sent/],
		[
			'multipart',
			{ multipart: { parts: [{ kind: 'file', name: 'f', fileField: 'gone' }] } },
			/no file in the field "gone".*nothing was sent/,
		],
	])('%s: one that is missing is refused before the claim', async (bodyKind, more, sentence) => {
		const { error } = await run({ bodyKind, ...more }, withFile(inMemory(PDF)));
		expect(error?.message).toMatch(sentence);
		expect((await journal.request('GET', `/v1/runs/workflow-1%3A${runId}`)).status).toBe(404);
		expect(receiver.received).toEqual([]);
	});

	it('that n8n has lost is refused before the claim', async () => {
		prune = await setBinaryMode('filesystem');
		const files = [await stored(PDF)];
		await prune();
		const { error } = await run({ bodyKind: 'file' }, { files });
		expect(error?.message).toMatch(/no file in the field "data" that can be read/);
		expect(receiver.received).toEqual([]);
	});
});

it('a multipart body with a Content-Type of its own is refused: it would lack the boundary', async () => {
	const { error } = await run({
		bodyKind: 'multipart',
		headers: pairs(['content-Type', 'multipart/form-data']),
	});
	expect(error?.message).toMatch(/boundary.*take it out of Headers/);
	expect(receiver.received).toEqual([]);
});

it('two kinds with the same content are two calls', async () => {
	await run({ bodyKind: 'raw', rawContentType: 'text/plain', rawBody: 'a=1' });
	const { error } = await run({ bodyKind: 'raw', rawContentType: 'text/csv', rawBody: 'a=1' });
	expect(error?.message).toMatch(/changed: \/contentType/);
});

/** A file as n8n has it after a node before. */
const stored = async (bytes: Buffer): Promise<IBinaryKeyData> =>
	await inNode(async ({ helpers }) => ({
		data: await helpers.prepareBinaryData(bytes, 'invoice.pdf', 'application/pdf'),
	}));
