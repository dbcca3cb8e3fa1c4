/** An HTTP server of a test's own, which keeps what it received and answers what the test says. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedCall {
	method: string;
	/** Path and query. */
	url: string;
	headers: IncomingHttpHeaders;
	body: string;
}

export interface ReceiverAnswer {
	status?: number;
	headers?: Record<string, string>;
	/** Sent as JSON, or as it is where it is bytes. */
	body?: unknown;
}

export interface Receiver {
	readonly baseUrl: string;
	readonly calls: ReceivedCall[];
	close(): Promise<void>;
}

/** Starts it on a free loopback port. */
export async function startReceiver(
	answer: (call: ReceivedCall) => ReceiverAnswer | Promise<ReceiverAnswer>,
): Promise<Receiver> {
	const calls: ReceivedCall[] = [];
	const server = createServer((request, response) => {
		void (async () => {
			const { method = '', url = '', headers } = request;
			const call = { method, url, headers, body: await text(request) };
			calls.push(call);
			const { status = 200, headers: own = {}, body = {} } = await answer(call);
			const bytes = Buffer.isBuffer(body) ? body : JSON.stringify(body);
			response.writeHead(status, { 'content-type': 'application/json', ...own }).end(bytes);
		})();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		calls,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
