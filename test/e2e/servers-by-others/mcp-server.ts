/** The MCP project's own test server over streamable HTTP, behind a proxy that sees what is called. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { nodeRuntime } from '../../../tools/node-runtime.mjs';
import { ROOT } from '../../../tools/paths.mjs';
import { startProcess } from '../../child-process';
import { freePort } from '../../free-port';
import { httpRequest } from '../../http-request';
import { startLosingProxy } from '../../integration/idempotent-tool-call-proxy';
import { waitUntil } from '../../wait-until';

export interface McpServer {
	/** What an MCP client connects to. */
	readonly url: string;
	/** Arguments of the calls of this tool, in order. */
	calls(tool: string): Array<Record<string, unknown>>;
	stop(): Promise<void>;
}

interface Rpc {
	method?: string;
	params?: { name?: string; arguments?: Record<string, unknown> };
}

export async function startMcpServer(): Promise<McpServer> {
	const port = await freePort();
	const main = createRequire(join(ROOT, 'package.json')).resolve(
		'@modelcontextprotocol/server-everything/dist/index.js',
	);
	const preload = join(ROOT, 'test', 'e2e', 'servers-by-others', 'loopback-only.cjs');
	const server = startProcess(nodeRuntime(), ['--require', preload, main, 'streamableHttp'], {
		env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port) },
	});
	const address = `http://127.0.0.1:${port}`;
	await waitUntil(
		'the MCP server to answer',
		// Without a session it refuses, which is an answer.
		async () => (await httpRequest('GET', `${address}/mcp`)).status >= 400,
	).catch(async (error: unknown) => {
		await server.kill();
		throw new Error(`The MCP server did not start:\n${server.log()}`, { cause: error });
	});
	const proxy = await startLosingProxy(address);
	return {
		url: `${proxy.baseUrl}/mcp`,
		calls: (tool) =>
			((proxy.bodies.mcp ?? []) as Rpc[])
				.filter(({ method, params }) => method === 'tools/call' && params?.name === tool)
				.map(({ params }) => params!.arguments ?? {}),
		async stop() {
			await proxy.stop();
			await server.kill();
		},
	};
}
