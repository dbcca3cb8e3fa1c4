/** Operation HTTP Request in a real n8n: forms, files out and in, full response and statuses of a person's choice. */
import { readForm, startReceiver, type Received, type Receiver } from '../stand-ins/http-receiver';
import { startJournal, type Journal } from '../journal-process';
import {
	callNode,
	failureOf,
	split,
	stepsOf,
	type Credential,
} from './idempotent-tool-call-workflow';
import { errorOf, outputsOf, type Execution, type WorkflowNode } from './n8n/n8n-client';
import { startN8n, type N8n } from './n8n/start-n8n';
import { chain, webhook } from './n8n/workflow-parts';

jest.setTimeout(120_000);

let n8n: N8n;
let journal: Journal;
let receiver: Receiver;
let credential: Credential;

beforeAll(async () => {
	[n8n, journal, receiver] = await Promise.all([startN8n(), startJournal(), startReceiver()]);
	const { baseUrl, apiKey } = journal;
	credential = await n8n.client.createCredential('journalApi', { baseUrl, apiKey });
});
afterAll(async () => {
	await n8n?.stop();
	await Promise.all([journal?.stop(), receiver?.stop()]);
});
beforeEach(() => {
	receiver.received.length = 0;
	receiver.answer = () => ({});
});

const call = (parameters: Record<string, unknown>, options: Record<string, unknown> = {}) =>
	callNode(
		credential,
		{ operation: 'httpRequest', method: 'POST', url: `${receiver.baseUrl}/in`, ...parameters },
		options,
	);

/** Makes a text file `data` of each order. */
const toFile: WorkflowNode = {
	name: 'To File',
	type: 'n8n-nodes-base.convertToFile',
	typeVersion: 1.1,
	parameters: {
		operation: 'toText',
		sourceProperty: 'orderId',
		options: { fileName: 'order.txt' },
	},
};
/** Reads the file `data` of each item as text. */
const fromFile: WorkflowNode = {
	name: 'From File',
	type: 'n8n-nodes-base.extractFromFile',
	typeVersion: 1,
	parameters: { operation: 'text', options: {} },
};
/** n8n's file node drops the item's JSON, in which the run is. */
const runOfFile = { runId: '={{ $("Orders").item.json.orderId }}' };

/** Webhook → Orders → these, one after the other. */
async function create(path: string, ...nodes: WorkflowNode[]): Promise<string> {
	const all = [webhook(path), split, ...nodes];
	return await n8n.client.createWorkflow({
		name: path,
		nodes: all,
		connections: chain(...all.map(({ name }) => name)),
	});
}
async function run(workflowId: string, path: string, orders: string[]): Promise<Execution> {
	const id = await n8n.client.run(workflowId, path, { orders });
	return await n8n.client.waitForStatus(id, ['success', 'error']);
}
const itemsOf = (execution: Execution, node = 'Call') =>
	outputsOf(execution)[node]!.at(-1)[0] as Array<Record<string, any>>;

/** Takes one content type only, and only what is right. */
const strict =
	(type: string, isRight: (request: Received) => boolean | Promise<boolean>) =>
	async (request: Received) => {
		if (request.headers['content-type']?.split(';')[0] !== type) return { status: 415 };
		return { status: (await isRight(request)) ? 201 : 422 };
	};

/** The same order triggered twice: the second one gets the first one's answer. */
async function twice(path: string, order: string, nodes: WorkflowNode[]) {
	const workflowId = await create(path, ...nodes);
	for (const replayed of [false, true]) {
		const execution = await run(workflowId, path, [order]);
		expect([errorOf(execution), itemsOf(execution)]).toEqual([
			undefined,
			[
				expect.objectContaining({
					statusCode: 201,
					durable: expect.objectContaining({ replayed }),
				}),
			],
		]);
	}
	expect(receiver.received).toHaveLength(1);
}

describe('a body', () => {
	test('multipart, with a file of the item', async () => {
		receiver.answer = strict('multipart/form-data', async (request) => {
			const form = await readForm(request);
			const file = form.get('invoice') as File;
			const right = file.name === 'order.txt' && file.type === 'text/plain';
			return right && form.get('order') === 'M-1' && (await file.text()) === 'M-1';
		});
		const multipart = {
			parts: [
				{ kind: 'text', name: 'order', value: runOfFile.runId },
				{ kind: 'file', name: 'invoice', fileField: 'data' },
			],
		};
		const parameters = { ...runOfFile, sendBody: true, bodyKind: 'multipart', multipart };
		await twice('multipart', 'M-1', [toFile, call(parameters)]);
	});

	test('a file, with its length', async () => {
		receiver.answer = strict(
			'text/plain',
			({ body, headers }) => body.toString() === 'F-1' && headers['content-length'] === '3',
		);
		await twice('file', 'F-1', [toFile, call({ ...runOfFile, sendBody: true, bodyKind: 'file' })]);
	});

	test('a form', async () => {
		receiver.answer = strict(
			'application/x-www-form-urlencoded',
			({ body }) => body.toString() === 'order=W-1+%26+more',
		);
		const formFields = { parameters: [{ name: 'order', value: '={{ $json.orderId }} & more' }] };
		await twice('form', 'W-1', [call({ sendBody: true, bodyKind: 'form', formFields })]);
	});
});

test('a downloaded file is replayed by a retry, and when n8n has deleted the execution that fetched it', async () => {
	const fetched: string[] = [];
	receiver.answer = ({ url }) => {
		const order = url.split('/').at(-1)!;
		fetched.push(order);
		const refused = order === 'D-2' && fetched.filter((each) => each === 'D-2').length === 1;
		if (refused) return { status: 422, body: '{"message":"not yet"}' };
		return { headers: { 'content-type': 'text/plain' }, body: `file of ${order}` };
	};
	const download = call(
		{ url: `=${receiver.baseUrl}/files/{{ $json.orderId }}` },
		{ responseFormat: 'file' },
	);
	const workflowId = await create('download', download, fromFile);
	const stopped = await run(workflowId, 'download', ['D-1', 'D-2']);
	expect(failureOf(stopped).message).toMatch(/HTTP 422.*not yet|not yet.*HTTP 422/);

	const retried = await n8n.client.waitForStatus(await n8n.client.retry(stopped.id), 'success');
	const texts = [{ data: 'file of D-1' }, { data: 'file of D-2' }];
	expect(itemsOf(retried, 'From File')).toEqual(texts.map((each) => expect.objectContaining(each)));
	const replayed = (execution: Execution) =>
		itemsOf(execution).map(({ durable }) => durable.replayed as boolean);
	expect(replayed(retried)).toEqual([true, false]);

	for (const { id } of [stopped, retried])
		expect((await n8n.client.api('DELETE', `/executions/${id}`)).status).toBe(200);
	const again = await run(workflowId, 'download', ['D-1', 'D-2']);
	expect(replayed(again)).toEqual([true, true]);
	expect(itemsOf(again, 'From File')).toEqual(texts.map((each) => expect.objectContaining(each)));
	expect(fetched).toEqual(['D-1', 'D-2', 'D-2']);
});

test('the full response, with headers', async () => {
	receiver.answer = () => ({ status: 202, headers: { 'x-total': '7' }, body: '{"error":"none"}' });
	const workflowId = await create('full', call({}, { responseOutput: 'full' }));
	for (const replayed of [false, true])
		expect(itemsOf(await run(workflowId, 'full', ['R-1']))).toEqual([
			{
				statusCode: 202,
				statusMessage: 'Accepted',
				headers: expect.objectContaining({ 'x-total': '7' }),
				body: { error: 'none' },
				durable: expect.objectContaining({ replayed }),
			},
		]);
	expect(receiver.received).toHaveLength(1);
});

test('what each status means, as a person says', async () => {
	const statuses: Record<string, number[]> = { 'S-1': [409], 'S-2': [500, 500, 201], 'S-3': [501] };
	receiver.answer = ({ body }) => ({
		status: statuses[JSON.parse(body.toString()).orderId]!.shift()!,
	});
	const meant = {
		successStatuses: '200-299, 409',
		retryStatuses: '500',
		terminalStatuses: '501',
		keyHeader: 'X-Request-Id',
	};
	const body = { sendBody: true, body: '={{ { orderId: $json.orderId } }}' };
	const workflowId = await create('statuses', {
		...call(body, meant),
		onError: 'continueErrorOutput',
	});
	const execution = await run(workflowId, 'statuses', ['S-1', 'S-2', 'S-3']);
	expect(outputsOf(execution).Call![0]).toEqual([
		[
			expect.objectContaining({ statusCode: 409 }),
			expect.objectContaining({
				statusCode: 201,
				durable: expect.objectContaining({ attempt: 3 }),
			}),
		],
		[expect.objectContaining({ orderId: 'S-3', error: expect.stringMatching(/HTTP 501/) })],
	]);
	const [step] = await stepsOf(journal, 'S-3');
	expect(step).toMatchObject({ state: 'failed', attempt: 1 });
	const carried = receiver.received.map(({ headers }) => headers['x-request-id']);
	expect(carried).toContain(step!.key);
	expect(new Set(carried).size).toBe(3);
});
