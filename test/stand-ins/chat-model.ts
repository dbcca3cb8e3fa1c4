/**
 * A chat model behind OpenAI's chat completions API that does what the user's message says: after
 * `PLAN ` stands a JSON list of turns, each a list of tool calls `{ tool, args }`. It keeps nothing
 * between requests; as with the real one, all it knows of a conversation is in the request. Refuses
 * what the real one refuses.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PlannedCall {
	tool: string;
	args: Record<string, unknown>;
}
export type Plan = PlannedCall[][];

interface ToolCall {
	id: string;
	type: string;
	function: { name: string; arguments: string };
}
interface Message {
	role: string;
	content?: unknown;
	tool_calls?: ToolCall[];
	tool_call_id?: string;
}
interface Request {
	model?: string;
	messages?: Message[];
	stream?: boolean;
	tools?: Array<{
		type: string;
		function: { name: string; description?: string; parameters?: { type?: string } };
	}>;
}

/** What one request showed. */
export interface ModelCall {
	/** The text before `PLAN`, to tell conversations apart. */
	title: string;
	tools: NonNullable<Request['tools']>;
	/** What the tools said, in order. */
	toolMessages: string[];
	/** With which arguments the model called them, as the request has it. */
	toolCalls: Array<Record<string, unknown>>;
}

export interface ChatModel {
	baseUrl: string;
	calls: ModelCall[];
	stop(): Promise<void>;
}

/** The prompt for a plan. */
export const planPrompt = (title: string, plan: Plan) => `${title} PLAN ${JSON.stringify(plan)}`;

const textOf = (content: unknown): string =>
	typeof content === 'string'
		? content
		: Array.isArray(content)
			? content.map((part: { text?: string }) => part.text ?? '').join('')
			: '';

/** What OpenAI answers with 400; undefined for what it takes. */
function refusal({ model, messages, tools, stream }: Request): string | undefined {
	if (!model) return 'you must provide a model parameter';
	if (stream) return 'this stand-in does not stream';
	if (!messages?.length) return "'messages' must not be empty";
	for (const { type, function: tool } of tools ?? []) {
		if (type !== 'function' || !/^[a-zA-Z0-9_-]{1,64}$/.test(tool?.name ?? ''))
			return `invalid tool name '${tool?.name}'`;
		if (tool.parameters?.type !== 'object') return `invalid schema for function '${tool.name}'`;
	}
	const names = (tools ?? []).map((tool) => tool.function.name);
	if (new Set(names).size < names.length) return 'tool names must be unique';
	let open = new Set<string>();
	for (const [index, message] of messages.entries()) {
		const { role, tool_calls: calls, tool_call_id: id, content } = message;
		if (!['system', 'developer', 'user', 'assistant', 'tool'].includes(role))
			return `invalid role '${role}'`;
		if (role === 'tool') {
			if (!id || !open.delete(id))
				return `messages[${index}]: a tool message must follow the 'tool_calls' it answers`;
			continue;
		}
		if (open.size > 0) return `messages[${index}]: a 'tool_calls' message has no answer`;
		if (calls && calls.length === 0) return `messages[${index}].tool_calls is empty`;
		if (role !== 'assistant' && typeof content !== 'string' && !Array.isArray(content))
			return `messages[${index}].content is missing`;
		open = new Set(calls?.map((call) => call.id));
	}
	return open.size > 0 ? 'the last tool calls have no answer' : undefined;
}

let calls = 0;

function answer(request: Request): { call: ModelCall; message: Message } {
	const messages = request.messages ?? [];
	const prompt = textOf(messages.findLast(({ role }) => role === 'user')?.content);
	const at = prompt.indexOf('PLAN ');
	const plan = at < 0 ? [] : (JSON.parse(prompt.slice(at + 5)) as Plan);
	const toolMessages = messages
		.filter(({ role }) => role === 'tool')
		.map(({ content }) => textOf(content));
	let answered = toolMessages.length;
	const turn = plan.find((planned) => (answered -= planned.length) < 0);
	const call = {
		title: prompt.slice(0, Math.max(0, at)).trim(),
		tools: request.tools ?? [],
		toolMessages,
		toolCalls: messages
			.flatMap(({ tool_calls: made }) => made ?? [])
			.map((made) => JSON.parse(made.function.arguments) as Record<string, unknown>),
	};
	if (!turn)
		return { call, message: { role: 'assistant', content: `done: ${toolMessages.at(-1)}` } };
	return {
		call,
		message: {
			role: 'assistant',
			content: null,
			tool_calls: turn.map(({ tool, args }) => ({
				id: `call_${(calls += 1)}`,
				type: 'function',
				function: { name: tool, arguments: JSON.stringify(args) },
			})),
		},
	};
}

async function bodyOf(request: IncomingMessage): Promise<Request> {
	let text = '';
	for await (const chunk of request) text += String(chunk);
	return (text ? JSON.parse(text) : {}) as Request;
}

export async function startChatModel(): Promise<ChatModel> {
	const seen: ModelCall[] = [];
	async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const send = (status: number, body: unknown) => {
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify(body));
		};
		const error = (status: number, message: string) =>
			send(status, { error: { message, type: 'invalid_request_error', code: null } });
		if (request.method !== 'POST' || request.url !== '/v1/chat/completions')
			return error(404, `unknown ${request.url}`);
		if (!request.headers.authorization) return error(401, 'no API key');
		const body = await bodyOf(request);
		const refused = refusal(body);
		if (refused) return error(400, refused);
		const { call, message } = answer(body);
		seen.push(call);
		send(200, {
			id: 'chatcmpl-1',
			object: 'chat.completion',
			created: 1,
			model: body.model,
			choices: [{ index: 0, message, finish_reason: message.tool_calls ? 'tool_calls' : 'stop' }],
			usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
		});
	}
	const server = createServer((request, response) => void handle(request, response));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		calls: seen,
		stop: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
