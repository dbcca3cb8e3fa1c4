import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What n8n 2.40 answers on `/webhook-waiting/…`, by situation. */
export const RESUME_ANSWERS = {
	resumed: [200, '{"resumed":true}'],
	stale: [200, '{"stale":true}'],
	running: [409, '{"code":409,"message":"The execution \\"7\\" is running already."}'],
	finished: [409, '{"code":409,"message":"The execution \\"7 has finished already."}'],
	failed: [409, '{"code":409,"message":"The execution \\"7\\" has finished with error."}'],
	stillOpen: [409, '{"open":true}'],
	unauthorized: [401, '{"error":"Invalid token"}'],
	deleted: [404, '{"code":404,"message":"The execution \\"7\\" does not exist."}'],
	broken: [500, '{"message":"Error in workflow"}'],
	unavailable: [503, '{}'],
	tooMany: [429, '{}'],
	page: [200, '<html>Welcome</html>'],
	redirect: [302, ''],
} as const satisfies Record<string, readonly [number, string]>;

/** `reset` closes the connection, `silence` never answers. */
export type ResumeAnswer = keyof typeof RESUME_ANSWERS | 'reset' | 'silence';

export interface ResumeCall {
	readonly method: string;
	readonly url: string;
	readonly body: unknown;
	readonly headers: IncomingMessage['headers'];
}

export interface ResumeUrls {
	readonly port: number;
	readonly calls: ResumeCall[];
	/** Calls that are under way now, and the most there ever were. */
	open: number;
	mostOpen: number;
	/** Lets all that is kept in silence answer. */
	release(): void;
	close(): Promise<void>;
}

/**
 * Stands in for n8n's resume URLs on a free loopback port.
 * @param answer says what the n-th call (from 0) gets
 */
export async function startResumeUrls(
	answer: (call: ResumeCall, index: number) => ResumeAnswer,
): Promise<ResumeUrls> {
	let kept: Array<() => void> = [];
	const server = createServer((request, response) => {
		void readBody(request).then((body) => {
			const { method = '', url = '', headers } = request;
			const call = { method, url, headers, body: JSON.parse(body) as unknown };
			stand.open += 1;
			stand.mostOpen = Math.max(stand.mostOpen, stand.open);
			response.on('close', () => (stand.open -= 1));
			const said = answer(call, stand.calls.push(call) - 1);
			if (said === 'silence') kept.push(() => give(response, 'resumed'));
			else give(response, said);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const stand: ResumeUrls = {
		port: (server.address() as AddressInfo).port,
		calls: [],
		open: 0,
		mostOpen: 0,
		release() {
			kept.forEach((go) => go());
			kept = [];
		},
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	return stand;
}

function give(response: ServerResponse, answer: Exclude<ResumeAnswer, 'silence'>): void {
	if (answer === 'reset') {
		response.socket?.destroy();
		return;
	}
	const [status, body] = RESUME_ANSWERS[answer];
	const type = body.startsWith('<') ? 'text/html' : 'application/json';
	if (status === 302) response.setHeader('location', '/webhook-waiting/elsewhere');
	response.writeHead(status, { 'content-type': type }).end(body);
}

async function readBody(request: IncomingMessage): Promise<string> {
	let text = '';
	for await (const chunk of request) text += String(chunk);
	return text;
}
