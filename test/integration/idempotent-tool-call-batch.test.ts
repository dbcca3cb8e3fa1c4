/** Many items through operation HTTP Request: some at once, few requests to the journal, order and pairing kept. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';
import { startJournal, type Journal } from '../journal-process';
import { runInCore, type CoreRun } from './idempotent-tool-call-core';
import { startLosingProxy, type LosingProxy } from './idempotent-tool-call-proxy';

jest.setTimeout(60_000);

const COUNT = 200;
const AT_ONCE = 25;

let journal: Journal;
let proxy: LosingProxy;
let receiver: Server;
let url: string;
/** Numbers of the orders that the receiver got, as they came. */
let received: number[];
let atOnce: { now: number; most: number };
/** What the receiver answers to an order. */
let answer: (order: number) => number;
let runs = 0;
let runId: string;

beforeAll(async () => {
	journal = await startJournal();
	proxy = await startLosingProxy(journal.baseUrl);
	receiver = createServer((request, response) => {
		atOnce.most = Math.max(atOnce.most, ++atOnce.now);
		let body = '';
		request.on('data', (chunk) => (body += chunk));
		request.on('end', () => {
			const { order } = JSON.parse(body) as { order: number };
			received.push(order);
			// Later orders are answered before earlier ones.
			setTimeout(
				() => {
					atOnce.now--;
					response.writeHead(answer(order), { 'content-type': 'application/json' });
					response.end(JSON.stringify({ order }));
				},
				(COUNT - order) % 5,
			);
		});
	});
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
});
afterAll(async () => {
	receiver?.closeAllConnections();
	receiver?.close();
	await proxy?.stop();
	await journal?.stop();
});
beforeEach(() => {
	received = [];
	atOnce = { now: 0, most: 0 };
	answer = () => 200;
	runId = `batch-${++runs}`;
	proxy.verbs.length = 0;
});

const orders = (count: number) => Array.from({ length: count }, (_, order) => ({ order }));
const run = async (items: IDataObject[], more: Partial<CoreRun> = {}) =>
	await runInCore({
		credential: { baseUrl: proxy.baseUrl, apiKey: journal.apiKey },
		items,
		...more,
		parameters: {
			...{ operation: 'httpRequest', runId, method: 'POST', url, sendBody: true },
			body: '={{ $json }}',
		},
		options: { itemsAtOnce: AT_ONCE, maxAttempts: 1, ...more.options },
	});
const asked = (verb: string) => proxy.verbs.filter((each) => each === verb).length;

it('200 items: one request to claim each batch, each sent once, in order and paired', async () => {
	const first = await run(orders(COUNT));
	expect(received.toSorted((a, b) => a - b)).toEqual(orders(COUNT).map(({ order }) => order));
	expect(first.items.map(({ body }) => body)).toEqual(orders(COUNT));
	const [output] = first.run.data.resultData.runData.Call!.at(-1)!.data!.main;
	expect(output!.map(({ pairedItem }) => pairedItem)).toEqual(
		orders(COUNT).map(({ order }) => ({ item: order })),
	);
	expect([asked('claim-many'), asked('claim')]).toEqual([COUNT / AT_ONCE, 0]);
	// Those that are done together are recorded together.
	expect(asked('complete') + asked('complete-many')).toBeLessThan(COUNT / 2);
	expect(atOnce.most).toBeGreaterThan(1);
	expect(atOnce.most).toBeLessThanOrEqual(AT_ONCE);

	proxy.verbs.length = 0;
	const again = await run(orders(COUNT));
	expect(again.items.map(({ body }) => body)).toEqual(orders(COUNT));
	expect(received).toHaveLength(COUNT);
	expect(proxy.verbs).toEqual(Array(COUNT / AT_ONCE).fill('claim-many'));
});

it('one after the other where the person says so', async () => {
	await run(orders(6), { options: { itemsAtOnce: 1 } });
	expect(received).toEqual([0, 1, 2, 3, 4, 5]);
	expect(atOnce.most).toBe(1);
});

it('items that are alike at the same time are one call', async () => {
	const { items } = await run(
		[3, 3, 4, 3].map((order) => ({ order })),
		{ options: { waitSeconds: 0 } },
	);
	expect(received.toSorted()).toEqual([3, 4]);
	expect(items.map(({ durable }) => (durable as IDataObject).sameAs)).toEqual([
		...[undefined, 0, undefined, 0],
	]);
});

it('where one fails, those that have begun are recorded, and a retry sends only what is left', async () => {
	answer = (order) => (order === 2 ? 400 : 200);
	const { error } = await run(orders(10), { options: { itemsAtOnce: 5 }, executionId: '1' });
	expect(error?.message).toContain('HTTP 400');
	expect(received.toSorted()).toEqual([0, 1, 2, 3, 4]);
	answer = () => 200;
	const retried = await run(orders(10), { options: { itemsAtOnce: 5 }, executionId: '2' });
	expect(retried.items.map(({ body }) => body)).toEqual(orders(10));
	expect(received.toSorted()).toEqual([0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it('with an error output each item goes its own way', async () => {
	answer = (order) => (order % 2 ? 400 : 200);
	const { run: ran } = await run(orders(6), { settings: { onError: 'continueErrorOutput' } });
	const [succeeded, failed] = ran.data.resultData.runData.Call!.at(-1)!.data!.main;
	expect(succeeded!.map(({ json }) => (json.body as IDataObject).order)).toEqual([0, 2, 4]);
	expect(failed!.map(({ json }) => json.order)).toEqual([1, 3, 5]);
});
