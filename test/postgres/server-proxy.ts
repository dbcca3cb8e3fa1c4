/** Between a journal and the PostgreSQL server: a network that fails, or a pooler. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface ServerProxy {
	/** The address of the database, by way of the proxy. */
	readonly url: string;
	/** Nothing arrives any more, in both directions, and no connection is ended. */
	freeze(): void;
	/** Connections that are made from now on work. */
	thaw(): void;
	close(): Promise<void>;
}

/** @param change what becomes of each piece of what the server sends */
export async function startServerProxy(
	databaseUrl: string,
	change: (data: Buffer) => Buffer = (data) => data,
): Promise<ServerProxy> {
	const target = new URL(databaseUrl);
	const sockets = new Set<Socket>();
	let frozen = false;
	const server = createServer((client) => {
		const upstream = connect(Number(target.port), target.hostname);
		const isFrozen = () => frozen || !sockets.has(client);
		client.on('data', (data) => !isFrozen() && upstream.write(data));
		upstream.on('data', (data) => !isFrozen() && client.write(change(data)));
		for (const [socket, other] of [
			[client, upstream],
			[upstream, client],
		] as const) {
			sockets.add(socket);
			socket.on('error', () => {});
			socket.on('close', () => other.destroy());
		}
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}` }).href,
		freeze() {
			frozen = true;
		},
		thaw() {
			frozen = false;
		},
		async close() {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
