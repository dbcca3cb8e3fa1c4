/** 200 items through one HTTP Request in a real n8n: few requests to the journal, order and pairing kept. */
import { startLosingProxy, type LosingProxy } from '../integration/idempotent-tool-call-proxy';
import { startJournal, type Journal } from '../journal-process';
import { startReceiver, type Receiver } from '../stand-ins/json-receiver';
import { callNode, failureOf, oneCall } from './idempotent-tool-call-workflow';
import { outputsOf, type WorkflowNode } from './n8n/n8n-client';
import { startN8n, type N8n } from './n8n/start-n8n';

jest.setTimeout(120_000);

const ORDERS = Array.from({ length: 200 }, (_, at) => `B-${at}`);
const AT_ONCE = 25;
const BATCHES = ORDERS.length / AT_ONCE;

let n8n: N8n;
let journal: Journal;
let proxy: LosingProxy;
let receiver: Receiver;
/** Calls of a batch that wait until all of it is there. */
let waiting: Array<() => void> = [];

const orderOf = (body: string) => (JSON.parse(body) as { orderId: string }).orderId;

beforeAll(async () => {
	[n8n, journal, receiver] = await Promise.all([
		startN8n(),
		startJournal(),
		startReceiver(async ({ body }) => {
			await new Promise<void>((resolve) => {
				waiting.push(resolve);
				if (waiting.length < AT_ONCE) return;
				// The last that came is answered first.
				for (const go of waiting.reverse()) go();
				waiting = [];
			});
			return { body: { done: orderOf(body) } };
		}),
	]);
	proxy = await startLosingProxy(journal.baseUrl);
});
afterAll(async () => {
	await n8n?.stop();
	await proxy?.stop();
	await Promise.all([journal?.stop(), receiver?.close()]);
});

/** In place of `End`: says which order an item is paired with. */
const paired: WorkflowNode = {
	name: 'End',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		mode: 'raw',
		jsonOutput: "={{ { done: $json.body.done, order: $('Orders').item.json.orderId } }}",
		options: {},
	},
};

it('one request claims a batch, few record it, and a replay sends nothing', async () => {
	const credential = await n8n.client.createCredential('journalApi', {
		baseUrl: proxy.baseUrl,
		apiKey: journal.apiKey,
	});
	const call = callNode(
		credential,
		{
			...{ operation: 'httpRequest', method: 'POST', url: receiver.baseUrl, sendBody: true },
			...{ runId: 'batch', body: '={{ $json }}' },
		},
		{ itemsAtOnce: AT_ONCE, leaseSeconds: 60 },
	);
	const workflow = oneCall('batch', call);
	workflow.nodes = workflow.nodes.map((node) => (node.name === 'End' ? paired : node));
	const workflowId = await n8n.client.createWorkflow(workflow);
	const run = async () => {
		proxy.verbs.length = 0;
		const id = await n8n.client.run(workflowId, 'batch', { orders: ORDERS });
		const execution = await n8n.client.waitForStatus(id, ['success', 'error'], 60_000);
		expect(failureOf(execution).message).toBe('');
		expect(outputsOf(execution).End![0]![0]).toEqual(
			ORDERS.map((order) => ({ done: order, order })),
		);
		return proxy.verbs.filter((verb) => verb !== 'renew');
	};
	const asked = await run();
	expect(asked.filter((verb) => verb.startsWith('claim'))).toEqual(
		Array(BATCHES).fill('claim-many'),
	);
	// The first answer waits for no other, so it is recorded alone; those that come meanwhile, together.
	const recorded = asked.filter((verb) => verb.startsWith('complete'));
	expect(recorded.length).toBeLessThanOrEqual(3 * BATCHES);
	expect(receiver.calls.map(({ body }) => orderOf(body)).sort()).toEqual(ORDERS.toSorted());

	expect(await run()).toEqual(Array(BATCHES).fill('claim-many'));
	expect(receiver.calls).toHaveLength(ORDERS.length);
});
