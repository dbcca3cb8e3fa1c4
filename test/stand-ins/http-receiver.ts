/** A receiver of requests that tests write: it keeps what came, and answers what it is told. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
	method: string;
	/** Path and query. */
	url: string;
	headers: IncomingMessage['headers'];
	body: Buffer;
}

export interface Answer {
	status?: number;
	headers?: Record<string, string | string[]>;
	body?: string | Buffer;
}

export interface Receiver {
	readonly baseUrl: string;
	readonly received: Received[];
	/** What it answers from now on; may be another answer for each request. */
	answer: (request: Received) => Answer | Promise<Answer>;
	stop(): Promise<void>;
}

/** Listens on a free port. `serve` makes another kind of server, such as one with TLS. */
export async function startReceiver(
	serve: (listener: RequestListener) => Server = createServer,
	scheme = 'http',
): Promise<Receiver> {
	const received: Received[] = [];
	const server = serve((incoming, outgoing) => {
		const chunks: Buffer[] = [];
		incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
		incoming.on('end', async () => {
			const { method = '', url = '', headers } = incoming;
			const request = { method, url, headers, body: Buffer.concat(chunks) };
			received.push(request);
			const answer = await receiver.answer(request);
			outgoing.writeHead(answer.status ?? 200, {
				'content-type': 'application/json',
				...answer.headers,
			});
			outgoing.end(answer.body ?? '{"done":true}');
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const receiver: Receiver = {
		baseUrl: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
		received,
		answer: () => ({}),
		async stop() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	return receiver;
}

/** Reads a form as a receiver does; throws where it is none. */
export const readForm = async ({ headers, body }: Received): Promise<FormData> =>
	await new Response(new Uint8Array(body), {
		headers: { 'content-type': headers['content-type'] ?? '' },
	}).formData();
