import { Agent, request } from 'node:http';

/** POSTs JSON over kept-alive connections, one per caller. */
export function jsonClient(baseUrl, headers = {}) {
	const agent = new Agent({ keepAlive: true });
	const { hostname, port } = new URL(baseUrl);
	const post = (path, body) =>
		new Promise((resolve, reject) => {
			const text = JSON.stringify(body);
			const outgoing = request(
				{
					agent,
					hostname,
					port,
					path,
					method: 'POST',
					headers: {
						...headers,
						'content-type': 'application/json',
						'content-length': Buffer.byteLength(text),
					},
				},
				(answer) => {
					let received = '';
					answer.setEncoding('utf8');
					answer.on('data', (chunk) => (received += chunk));
					answer.on('end', () => resolve({ status: answer.statusCode, body: received }));
				},
			);
			outgoing.on('error', reject);
			outgoing.end(text);
		});
	return { post, close: () => agent.destroy() };
}
