/** The tests' own control of n8n, proven: start, run, kill -9, restart, retry. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitUntil } from '../wait-until';
import { outputsOf } from './n8n/n8n-client';
import { startN8n, type N8n } from './n8n/start-n8n';
import { chain, httpPost, noOp, webhook } from './n8n/workflow-parts';

jest.setTimeout(180_000);

let n8n: N8n;
let receiver: Server;
const calls: string[] = [];
let holding = true;

beforeAll(async () => {
	receiver = createServer((request, response) => {
		calls.push(request.url!);
		if (request.url === '/second' && holding) return;
		response.setHeader('content-type', 'application/json').end('{"ok":true}');
	});
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
	n8n = await startN8n();
});
afterAll(async () => {
	await n8n?.stop();
	receiver.closeAllConnections();
	receiver.close();
});

it('survives a kill -9 in the middle of an execution and retries it', async () => {
	const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
	const workflowId = await n8n.client.createWorkflow({
		name: 'Control',
		nodes: [
			webhook('control'),
			httpPost('First', `${address}/first`),
			httpPost('Second', `${address}/second`),
			noOp('End'),
		],
		connections: chain('Webhook', 'First', 'Second', 'End'),
	});
	const executionId = await n8n.client.run(workflowId, 'control', { order: 1 });
	await waitUntil('the second call to be held', () => calls.includes('/second'));
	expect((await n8n.client.execution(executionId)).status).toBe('running');

	const before = n8n.pid;
	await n8n.kill('SIGKILL');
	await n8n.restart();
	expect(n8n.pid).not.toBe(before);
	await n8n.client.waitForStatus(executionId, 'crashed');

	holding = false;
	const retried = await n8n.client.retry(executionId);
	const execution = await n8n.client.waitForStatus(retried, 'success');
	expect(execution.retryOf).toBe(executionId);
	expect(outputsOf(execution).End).toEqual([[[{ ok: true }]]]);
	// Without this project's nodes a retry repeats what was already done.
	expect(calls).toEqual(['/first', '/second', '/first', '/second']);
});
