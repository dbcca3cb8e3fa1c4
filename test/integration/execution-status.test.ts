import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { executionStatusFrom } from '../../service/n8n/execution-status';

let server: Server;
let url: string;
let asked: Array<{ url: string | undefined; key: unknown }>;
let answer: { status: number; body: string };

beforeEach(async () => {
	asked = [];
	server = createServer((request, response) => {
		asked.push({ url: request.url, key: request.headers['x-n8n-api-key'] });
		response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
});

test.each([
	[200, '{"id":"7","status":"running"}', 'running'],
	[200, '{"id":"7","status":"waiting"}', 'running'],
	[200, '{"id":"7","status":"success"}', 'finished'],
	[200, '{"id":"7","status":"error"}', 'finished'],
	[200, '{"id":"7","status":"crashed"}', 'finished'],
	[200, '{"id":"7","status":"canceled"}', 'finished'],
	[200, '{"id":"7"}', undefined],
	[200, 'null', undefined],
	[404, '{"message":"Not Found"}', undefined],
	[401, '{"message":"unauthorized"}', undefined],
	[500, '{}', undefined],
])('%i %s is %s', async (status, body, expected) => {
	answer = { status, body };
	expect(await executionStatusFrom(url, 'key')('7')).toBe(expected);
});

test('the address may be given with or without the path of the API', async () => {
	answer = { status: 200, body: '{"status":"running"}' };
	for (const given of [url, `${url}/`, `${url}/api/v1`, `${url}/api/v1/`])
		await executionStatusFrom(given, 'key')('7/x');
	expect(asked).toEqual(
		Array.from({ length: 4 }, () => ({ url: '/api/v1/executions/7%2Fx', key: 'key' })),
	);
});

test('an n8n that is down says nothing', async () => {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
	expect(await executionStatusFrom(url, 'key')('7')).toBeUndefined();
});
