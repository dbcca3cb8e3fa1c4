/** Idempotent Tool Call with On Doubt "look it up", in n8n's engine: it goes on by what the other system says. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';
import { startJournal, type Journal } from '../journal-process';
import { runInCore } from './idempotent-tool-call-core';

jest.setTimeout(60_000);

interface Receiver {
	/** Orders that had their effect, in order. */
	readonly effects: string[];
	/** Looks that it was asked for. */
	looks: number;
	/** What a look is answered, in place of the truth. */
	lookAnswer: { status: number; body: string } | undefined;
	/** Whether the next POST breaks off, and whether before or after its effect. */
	breakOff: 'before' | 'after' | undefined;
}

let journal: Journal;
let server: Server;
let url: string;
let receiver: Receiver;
let orders = 0;

/** POST /invoices makes one; GET /invoices?order= lists those of an order. */
const answer = createServer((request, response) => {
	const { searchParams } = new URL(request.url!, 'http://x');
	const chunks: Buffer[] = [];
	request.on('data', (chunk: Buffer) => chunks.push(chunk));
	request.on('end', () => {
		response.setHeader('content-type', 'application/json');
		if (request.method === 'GET') {
			receiver.looks++;
			const data = receiver.effects.filter((order) => order === searchParams.get('order'));
			const { status, body } = receiver.lookAnswer ?? {
				status: 200,
				body: JSON.stringify({ data: data.map((order) => ({ invoice: `of ${order}` })) }),
			};
			response.writeHead(status).end(body);
			return;
		}
		const { orderId } = JSON.parse(Buffer.concat(chunks).toString());
		const { breakOff } = receiver;
		receiver.breakOff = undefined;
		if (breakOff !== 'before') receiver.effects.push(orderId);
		if (breakOff) request.socket.destroy();
		else response.end(JSON.stringify({ invoice: `of ${orderId}` }));
	});
});

beforeAll(async () => {
	journal = await startJournal();
	server = answer.listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/invoices`;
});
afterAll(async () => {
	await journal?.stop();
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
	receiver = { effects: [], looks: 0, lookAnswer: undefined, breakOff: undefined };
});

const lookUp = () => ({
	onInDoubt: 'verify',
	lookUpBy: 'httpRequest',
	lookUpUrl: url,
	lookUpQuery: { parameters: [{ name: 'order', value: '={{ $json.orderId }}' }] },
	lookUpField: 'data',
	lookAfterSeconds: 0,
});

const post = async (item: IDataObject) => {
	const response = await fetch(url, {
		method: 'POST',
		body: JSON.stringify({ orderId: item.orderId }),
	});
	return [{ json: (await response.json()) as IDataObject }];
};

const OPERATIONS = {
	httpRequest: {
		parameters: () => ({ method: 'POST', url, sendBody: true, body: '={{ $json }}' }),
		found: (orderId: string) => ({ body: { invoice: `of ${orderId}` } }),
	},
	connectedTool: {
		parameters: () => ({ toolArguments: '={{ $json }}' }),
		found: (orderId: string) => ({ invoice: `of ${orderId}` }),
	},
};

describe.each(['httpRequest', 'connectedTool'] as const)('%s', (operation) => {
	const { parameters, found } = OPERATIONS[operation];
	const run = async (orderId: string, options: object = {}) =>
		await runInCore({
			credential: journal,
			parameters: { operation, runId: orderId, ...parameters() },
			options: { ...lookUp(), ...options },
			items: [{ orderId }],
			tool: post,
		});
	const newOrder = () => `${operation}-${++orders}`;

	it('it happened: goes on with what was found, and sends nothing again', async () => {
		const orderId = newOrder();
		receiver.breakOff = 'after';
		const { items, error } = await run(orderId);
		expect(error).toBeUndefined();
		expect(items).toEqual([
			{ ...found(orderId), durable: expect.objectContaining({ attempt: 1, replayed: true }) },
		]);
		expect(receiver).toMatchObject({ effects: [orderId], looks: 1 });
	});

	it('it did not happen: sends it again, as attempt 2', async () => {
		const orderId = newOrder();
		receiver.breakOff = 'before';
		const { items, error } = await run(orderId);
		expect(error).toBeUndefined();
		expect(items).toEqual([
			expect.objectContaining({
				durable: expect.objectContaining({ attempt: 2, replayed: false }),
			}),
		]);
		expect(receiver).toMatchObject({ effects: [orderId], looks: 1 });
	});

	it('nobody knows: stops with the reason, and the next execution looks again', async () => {
		const orderId = newOrder();
		receiver.breakOff = 'after';
		receiver.lookAnswer = { status: 503, body: '{}' };
		const { error } = await run(orderId);
		expect(error?.message).toMatch(/is in doubt \(The look-up was answered with HTTP 503/);
		expect(receiver.effects).toEqual([orderId]);
		receiver.lookAnswer = undefined;
		const second = await run(orderId);
		expect(second.error).toBeUndefined();
		expect(second.items[0]).toMatchObject(found(orderId));
		expect(receiver).toMatchObject({ effects: [orderId], looks: 2 });
	});

	it('waits before it looks', async () => {
		const orderId = newOrder();
		receiver.breakOff = 'after';
		const begun = Date.now();
		expect((await run(orderId, { lookAfterSeconds: 1 })).error).toBeUndefined();
		expect(Date.now() - begun).toBeGreaterThanOrEqual(1_000);
		expect(receiver).toMatchObject({ effects: [orderId], looks: 1 });
	});

	it('a look-up without an address is refused before anything is sent', async () => {
		const { error } = await run(newOrder(), { lookUpUrl: '' });
		expect(error?.message).toMatch(/^The Look-Up URL must be complete/);
		expect(receiver.effects).toEqual([]);
	});
});
