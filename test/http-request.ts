import { request } from 'node:http';

export interface HttpAnswer<Body = any> {
	status: number;
	headers: Record<string, string | string[] | undefined>;
	/** Parsed when it is JSON, else the text. */
	body: Body;
}

/**
 * One HTTP request on a connection of its own, so that nothing depends on sockets of a process that
 * was killed meanwhile. Does not follow redirects. An object is sent as JSON, a string as it is.
 */
export function httpRequest<Body = any>(
	method: string,
	url: string,
	body?: unknown,
	headers: Record<string, string> = {},
): Promise<HttpAnswer<Body>> {
	const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
	const type =
		body === undefined || typeof body === 'string' ? {} : { 'content-type': 'application/json' };
	return new Promise((resolve, reject) => {
		const sent = request(
			url,
			{ method, agent: false, headers: { ...type, ...headers } },
			(answer) => {
				const chunks: Buffer[] = [];
				answer.on('data', (chunk: Buffer) => chunks.push(chunk));
				answer.on('error', reject);
				answer.on('end', () => {
					const text = Buffer.concat(chunks).toString('utf8');
					let parsed: unknown = text;
					if (String(answer.headers['content-type']).includes('json')) {
						try {
							parsed = JSON.parse(text);
						} catch {
							// A cut answer stays text: the test sees what came.
						}
					}
					resolve({ status: answer.statusCode!, headers: answer.headers, body: parsed as Body });
				});
			},
		);
		sent.on('error', reject);
		sent.end(payload);
	});
}
