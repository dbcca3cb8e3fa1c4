/** A receiver that reads text and answers JSON, as most services do. */
import type { IncomingHttpHeaders } from 'node:http';
import { startReceiver as startHttpReceiver } from './http-receiver';

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
	const receiver = await startHttpReceiver();
	receiver.answer = async (request) => {
		const call = { ...request, body: request.body.toString() };
		calls.push(call);
		const { body = {}, ...rest } = await answer(call);
		return { ...rest, body: Buffer.isBuffer(body) ? body : JSON.stringify(body) };
	};
	return { baseUrl: receiver.baseUrl, calls, close: receiver.stop };
}
