/** Operation HTTP Request with a credential, in a real n8n: what the receiver gets, and that nobody else gets it. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startJournal, type Journal } from '../journal-process';
import { callNode, failureOf, oneCall, stepsOf } from './idempotent-tool-call-workflow';
import { errorOf, outputsOf } from './n8n/n8n-client';
import { startN8n, type N8n } from './n8n/start-n8n';

jest.setTimeout(180_000);

const SECRET = 'the-secret-value';

let n8n: N8n;
let journal: Journal;
let receiver: Server;
let url: string;
let effects: string[];
let isRight: (headers: IncomingHttpHeaders, query: URLSearchParams) => boolean;

beforeAll(async () => {
	[n8n, journal] = await Promise.all([startN8n(), startJournal()]);
	receiver = createServer((request, response) => {
		let body = '';
		request.on('data', (chunk) => (body += chunk));
		request.on('end', () => {
			const right = isRight(request.headers, new URL(request.url!, url).searchParams);
			if (right) effects.push((JSON.parse(body) as { orderId: string }).orderId);
			response.writeHead(right ? 200 : 401, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ done: right }));
		});
	});
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/invoices`;
});
afterAll(async () => {
	receiver?.closeAllConnections();
	receiver?.close();
	await n8n?.stop();
	await journal?.stop();
});
beforeEach(() => (effects = []));

async function createCall(path: string, data: Record<string, unknown>): Promise<string> {
	const { baseUrl, apiKey } = journal;
	const journalApi = await n8n.client.createCredential('journalApi', { baseUrl, apiKey });
	const httpCallApi = await n8n.client.createCredential('httpCallApi', data);
	const parameters = { operation: 'httpRequest', method: 'POST', url, authenticate: true };
	const call = callNode(
		journalApi,
		{ ...parameters, sendBody: true, body: '={{ $json }}' },
		// The same step in every workflow of these tests.
		{ stepName: 'pay' },
	);
	workflows[path] = await n8n.client.createWorkflow(
		oneCall(path, {
			...call,
			credentials: { ...call.credentials, httpCallApi },
		}),
	);
	return httpCallApi.id;
}

/** By webhook path. */
const workflows: Record<string, string> = {};
const run = async (path: string, order: string) =>
	await n8n.client.waitForStatus(
		await n8n.client.run(workflows[path]!, path, { orders: [order] }),
		['success', 'error'],
	);

test.each<[string, Record<string, unknown>, typeof isRight]>([
	[
		'basic',
		{ method: 'basic', user: 'shop', password: SECRET },
		({ authorization }) =>
			authorization === `Basic ${Buffer.from(`shop:${SECRET}`).toString('base64')}`,
	],
	[
		'bearer',
		{ method: 'bearer', secret: SECRET },
		({ authorization }) => authorization === `Bearer ${SECRET}`,
	],
	[
		'header',
		{ method: 'header', name: 'X-Api-Key', secret: SECRET },
		(headers) => headers['x-api-key'] === SECRET,
	],
	[
		'query',
		{ method: 'query', name: 'api_key', secret: SECRET },
		(_headers, query) => query.get('api_key') === SECRET,
	],
])('%s', async (method, data, right) => {
	isRight = right;
	await createCall(method, data);
	const order = `auth-${method}`;
	for (const time of ['first', 'again']) {
		const execution = await run(method, order);
		expect([time, errorOf(execution), outputsOf(execution).End?.[0]?.[0][0]?.body]).toEqual([
			time,
			undefined,
			{ done: true },
		]);
	}
	expect(effects).toEqual([order]);
	const [step] = await stepsOf(journal, order);
	const { body } = await journal.request('GET', `/v1/steps/${step!.key}`);
	expect(JSON.stringify(body)).not.toContain(SECRET);
	expect(journal.log()).not.toContain(SECRET);
});

test('a wrong one is refused as it is, and the next execution goes on with the right one', async () => {
	isRight = ({ authorization }) => authorization === `Bearer ${SECRET}`;
	await createCall('wrong', { method: 'bearer', secret: 'old' });
	const { message } = failureOf(await run('wrong', 'auth-repaired'));
	expect(message).toMatch(/failed and trying again as it is will not help: .*401/);
	expect(message).not.toContain('old');
	await createCall('right', { method: 'bearer', secret: SECRET });
	const repaired = await run('right', 'auth-repaired');
	expect(outputsOf(repaired).End![0]![0][0].durable).toMatchObject({ step: 'pay', attempt: 2 });
	expect(effects).toEqual(['auth-repaired']);
});

test('one that was deleted is no doubt: nothing is claimed', async () => {
	const id = await createCall('deleted', { method: 'bearer', secret: SECRET });
	expect((await n8n.client.api('DELETE', `/credentials/${id}`)).status).toBe(200);
	expect((await run('deleted', 'auth-deleted')).status).toBe('error');
	expect((await journal.request('GET', '/v1/runs/auth-deleted')).status).toBe(404);
	expect(effects).toEqual([]);
});
