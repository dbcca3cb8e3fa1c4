/** A receiver on loopback that does with each order's requests what the cell says, and counts what happened. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What it does with one request. */
export interface Answer {
	/** 200 if left out. */
	status?: number;
	headers?: Record<string, string>;
	/** Whether it acts; if left out, as the status says. */
	acts?: boolean;
	/** It hangs before or after it acts: until it is released, or until the caller goes away. */
	holds?: 'before' | 'after';
}

export interface Script {
	/** For the order's requests, one after the other; to all later ones it acts and answers 200. */
	answers: Answer[];
	/** It recognises an `Idempotency-Key` that it acted on, and does not act again. */
	honoursKey: boolean;
	/** Without this value in `X-Api-Key` it answers 401 and does not act; undefined: everybody may call. */
	secret?: string;
}

/** What really happened for an order. */
export interface Counted {
	effects: number;
	/** When each request came, Unix epoch ms. */
	requests: number[];
	/** Different values of `Idempotency-Key`. */
	keys: number;
}

export interface Receiver {
	/** Takes `POST` of JSON with `orderId`; other members do not matter. */
	readonly url: string;
	/** Takes the same, when the order's step is done; it acts on nothing. */
	readonly laterUrl: string;
	script(order: string, script: Script): void;
	/** Whether the order's calls of `laterUrl` hang. */
	holdLater(order: string, holds: boolean): void;
	counted(order: string): Counted;
	/** Orders that hang. */
	held(): string[];
	/** Lets an order's calls go on. */
	release(order: string): void;
	stop(): Promise<void>;
}

interface Order extends Script {
	requests: number[];
	keys: Set<string>;
	/** By key, what it answered when it acted. */
	acted: Map<string, string>;
	effects: number;
	holdsLater: boolean;
}

const newOrder = (script: Script): Order => ({
	...script,
	requests: [],
	keys: new Set(),
	acted: new Map(),
	effects: 0,
	holdsLater: false,
});

async function readOrder(request: IncomingMessage): Promise<string> {
	let text = '';
	for await (const chunk of request) text += String(chunk);
	return String((JSON.parse(text) as { orderId: unknown }).orderId);
}

const send = (response: ServerResponse, answer: Answer, body: string) =>
	response
		.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers })
		.end(body);

export async function startReceiver(): Promise<Receiver> {
	const orders = new Map<string, Order>();
	const held = new Map<string, Set<() => void>>();

	const known = (name: string): Order => {
		const order = orders.get(name);
		if (!order) throw new Error(`Nobody said what to do with order ${name}`);
		return order;
	};

	/** False where the caller went away meanwhile. */
	async function passes(name: string, response: ServerResponse): Promise<boolean> {
		const waiting = held.get(name) ?? new Set();
		held.set(name, waiting);
		await new Promise<void>((resolve) => {
			waiting.add(resolve);
			response.on('close', resolve);
		});
		held.delete(name);
		return !response.destroyed;
	}

	function act(order: Order, key: string): string {
		const before = order.honoursKey ? order.acted.get(key) : undefined;
		if (before) return before;
		order.effects += 1;
		const body = JSON.stringify({ done: true, number: order.effects });
		order.acted.set(key, body);
		return body;
	}

	async function receive(name: string, request: IncomingMessage, response: ServerResponse) {
		const order = known(name);
		const key = String(request.headers['idempotency-key'] ?? '');
		if (key) order.keys.add(key);
		const may = order.secret === undefined || request.headers['x-api-key'] === order.secret;
		const said: Answer = order.answers[order.requests.length] ?? {};
		const answer = may ? said : { status: 401 };
		order.requests.push(Date.now());
		if (answer.holds === 'before' && !(await passes(name, response))) return;
		const acts = answer.acts ?? (answer.status ?? 200) < 300;
		const body = acts ? act(order, key) : JSON.stringify({ message: 'as the test says' });
		if (answer.holds === 'after' && !(await passes(name, response))) return;
		send(response, answer, body);
	}

	async function receiveLater(name: string, response: ServerResponse) {
		if (known(name).holdsLater && !(await passes(name, response))) return;
		send(response, {}, '{}');
	}

	const server: Server = createServer((request, response) => {
		readOrder(request)
			.then((name) =>
				request.url === '/later' ? receiveLater(name, response) : receive(name, request, response),
			)
			// 422 is in no script: the cell that caused it shows it.
			.catch((error: unknown) => send(response, { status: 422 }, JSON.stringify(String(error))));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url: `${base}/orders`,
		laterUrl: `${base}/later`,
		script: (name, script) => void orders.set(name, newOrder(script)),
		holdLater: (name, holds) => void (known(name).holdsLater = holds),
		counted(name) {
			const { effects, requests, keys } = known(name);
			return { effects, requests, keys: keys.size };
		},
		held: () => [...held.keys()],
		release(name) {
			for (const go of held.get(name) ?? []) go();
		},
		async stop() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
