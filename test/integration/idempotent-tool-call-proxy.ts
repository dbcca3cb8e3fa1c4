/** A proxy before the journal that loses or withholds single answers, as a bad network does. */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LosingProxy {
	readonly baseUrl: string;
	/** What was asked for, in order, as the last part of the path. */
	readonly verbs: string[];
	/** Bodies of the requests, by verb. */
	readonly bodies: Record<string, Array<Record<string, unknown>>>;
	/**
	 * The next answer to this verb does not reach the caller, although the journal gave it:
	 * `cut` closes the connection, `withhold` leaves it open.
	 */
	lose(verb: string, how: 'cut' | 'withhold'): void;
	stop(): Promise<void>;
}

/** Starts a proxy to this address on a free port. */
export async function startLosingProxy(target: string): Promise<LosingProxy> {
	const verbs: string[] = [];
	const bodies: LosingProxy['bodies'] = {};
	const losses: Array<{ verb: string; how: 'cut' | 'withhold' }> = [];
	const server: Server = createServer((incoming, outgoing) => {
		const verb = incoming.url!.split('/').at(-1)!;
		verbs.push(verb);
		const chunks: Buffer[] = [];
		incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
		incoming.on('end', () => {
			const body = Buffer.concat(chunks);
			(bodies[verb] ??= []).push(JSON.parse(body.toString() || '{}') as never);
			const onward = request(
				target + incoming.url!,
				{ method: incoming.method, headers: incoming.headers, agent: false },
				(answer) => {
					const at = losses.findIndex((loss) => loss.verb === verb);
					const loss = at >= 0 ? losses.splice(at, 1)[0] : undefined;
					if (loss?.how === 'cut') outgoing.destroy();
					if (loss) return answer.resume();
					outgoing.writeHead(answer.statusCode!, answer.headers);
					return answer.pipe(outgoing);
				},
			);
			onward.on('error', () => outgoing.destroy());
			onward.end(body);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		verbs,
		bodies,
		lose: (verb, how) => losses.push({ verb, how }),
		async stop() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
