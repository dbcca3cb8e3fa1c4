/** Which ports npm start uses, and whether they are free. */
import { createServer } from 'node:net';
import { Explained } from './explained.mjs';

/** @param {string} name environment variable */
export function portOf(name, usual) {
	const port = Number(process.env[name] || usual);
	if (!Number.isInteger(port) || port < 1 || port > 65_535)
		throw new Explained(`${name} must be a port number, 1 to 65535.`);
	return port;
}

const isFree = (port) =>
	new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});

/** A port that nobody uses now. */
export const anyFreePort = () =>
	new Promise((resolve) => {
		const server = createServer();
		server.listen(0, '127.0.0.1', () => {
			const { port } = server.address();
			server.close(() => resolve(port));
		});
	});

/** Throws a sentence for each port in use. @param {Array<{ what: string, variable: string, port: number }>} wanted */
export async function requireFree(wanted) {
	const taken = [];
	for (const one of wanted) if (!(await isFree(one.port))) taken.push(one);
	if (taken.length === 0) return;
	throw new Explained(
		taken
			.map(
				({ what, variable, port }) =>
					`Port ${port} (${what}) is in use. Stop what uses it, or choose another: ${variable}=${port + 100} npm start`,
			)
			.join('\n'),
	);
}
