/** A small MCP server (streamable HTTP, without sessions) with the tools that a test gives it. */
import { startReceiver, type Receiver, type ReceiverAnswer } from './json-receiver';

interface McpTool {
	name: string;
	description: string;
	/** JSON Schema of the arguments. */
	inputSchema: object;
	/** Returns the text of the answer; what it throws is answered as `isError`. */
	call(args: Record<string, unknown>): string;
}

interface Message {
	id?: number | string;
	method: string;
	params?: { name?: string; arguments?: Record<string, unknown>; protocolVersion?: string };
}

const text = (words: string, isError = false) => ({
	content: [{ type: 'text', text: words }],
	...(isError && { isError }),
});

function call(tools: McpTool[], { name, arguments: args = {} }: NonNullable<Message['params']>) {
	const tool = tools.find((one) => one.name === name);
	if (!tool) return text(`no tool ${name}`, true);
	try {
		return text(tool.call(args));
	} catch (error) {
		return text((error as Error).message, true);
	}
}

function answer(tools: McpTool[], { id, method, params = {} }: Message): ReceiverAnswer {
	// Notifications get no answer.
	if (id === undefined) return { status: 202 };
	const results: Record<string, () => object> = {
		initialize: () => ({
			protocolVersion: params.protocolVersion,
			capabilities: { tools: {} },
			serverInfo: { name: 'stand-in', version: '1' },
		}),
		ping: () => ({}),
		'tools/list': () => ({
			tools: tools.map(({ name, description, inputSchema }) => ({
				name,
				description,
				inputSchema,
			})),
		}),
		'tools/call': () => call(tools, params),
	};
	const result = results[method]?.();
	return {
		body: {
			jsonrpc: '2.0',
			id,
			...(result ? { result } : { error: { code: -32601, message: 'Method not found' } }),
		},
	};
}

/** Starts it on a free loopback port; the endpoint is `/mcp`. */
export async function startMcpServer(tools: McpTool[]): Promise<Receiver> {
	return await startReceiver(({ method, body }) =>
		// Clients ask by GET for a stream of messages; there is none.
		method === 'POST' ? answer(tools, JSON.parse(body) as Message) : { status: 405 },
	);
}
