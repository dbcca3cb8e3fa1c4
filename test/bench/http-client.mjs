import { Agent, request } from 'node:http';

/** POSTs over kept-alive connections, one per caller. `post` takes a value, `postText` its JSON. */
export function jsonClient(baseUrl, headers = {}) {
	const agent = new Agent({ keepAlive: true });
	const { hostname, port } = new URL(baseUrl);
	const postText = (path, text) =>
		new Promise((resolve, reject) => {
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
					answer.on('end', () =>
						answer.statusCode === 200
							? resolve(received)
							: reject(new Error(`POST ${path}: ${answer.statusCode} ${received}`)),
					);
				},
			);
			outgoing.on('error', reject);
			outgoing.end(text);
		});
	return {
		postText,
		/** The answer as text. Rejects when it is not 200. */
		post: (path, body) => postText(path, JSON.stringify(body)),
		close: () => agent.destroy(),
	};
}
