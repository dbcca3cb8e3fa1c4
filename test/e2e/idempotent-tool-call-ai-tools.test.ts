/** Idempotent Tool Call with tools of n8n's AI nodes: run once, replayed, and judged. */
import { startJournal, type Journal } from '../journal-process';
import { startMcpServer } from '../stand-ins/mcp-server';
import type { Receiver } from '../stand-ins/json-receiver';
import {
	callNode,
	failureOf,
	oneCall,
	stepsOf,
	type Credential,
} from './idempotent-tool-call-workflow';
import { outputsOf, type WorkflowNode } from './n8n/n8n-client';
import { startN8n, type N8n } from './n8n/start-n8n';

jest.setTimeout(120_000);

let n8n: N8n;
let journal: Journal;
let mcp: Receiver;
let credential: Credential;

const orderId = { type: 'object', properties: { orderId: { type: 'string' } } };
let payments = 0;

beforeAll(async () => {
	[n8n, journal, mcp] = await Promise.all([
		startN8n(),
		startJournal(),
		startMcpServer([
			{
				name: 'pay',
				description: 'Pays',
				inputSchema: { ...orderId, additionalProperties: true },
				call: (args) => `payment ${++payments} of ${JSON.stringify(args)}`,
			},
			{
				name: 'decline',
				description: 'Declines',
				inputSchema: orderId,
				call: () => {
					throw new Error('declined by the bank');
				},
			},
		]),
	]);
	const { baseUrl, apiKey } = journal;
	credential = await n8n.client.createCredential('journalApi', { baseUrl, apiKey });
});
afterAll(async () => {
	await n8n?.stop();
	await Promise.all([journal?.stop(), mcp?.close()]);
});

const toolOf = (
	type: string,
	typeVersion: number,
	parameters: Record<string, unknown> = {},
): WorkflowNode => ({ name: 'My Tool', type, typeVersion, parameters });

const mcpTool = (typeVersion = 1.4) =>
	toolOf('@n8n/n8n-nodes-langchain.mcpClientTool', typeVersion, {
		endpointUrl: `${mcp.baseUrl}/mcp`,
		serverTransport: 'httpStreamable',
		authentication: 'none',
		include: 'all',
		options: {},
	});

const code = (jsCode: string) =>
	toolOf('@n8n/n8n-nodes-langchain.toolCode', 1.3, { description: 'Code', jsCode });

/** Creates the workflow and returns what runs it for an order. */
async function workflowOf(path: string, tool: WorkflowNode, parameters: Record<string, unknown>) {
	const call = callNode(credential, { operation: 'connectedTool', ...parameters });
	const workflowId = await n8n.client.createWorkflow(oneCall(path, call, [tool]));
	return async (order: string) =>
		await n8n.client.waitForStatus(await n8n.client.run(workflowId, path, { orders: [order] }), [
			'success',
			'error',
		]);
}

const itemOf = (execution: Awaited<ReturnType<Awaited<ReturnType<typeof workflowOf>>>>) =>
	outputsOf(execution).End![0]![0][0];

it.each<[string, () => WorkflowNode, Record<string, unknown>, object]>([
	[
		'Calculator',
		() => toolOf('@n8n/n8n-nodes-langchain.toolCalculator', 1),
		{ toolArguments: '{"input": "2 + 3 * 4"}' },
		{ response: '14' },
	],
	[
		'Code Tool',
		() => code('return `${query} at ${Math.random()}`'),
		{ toolArguments: '{"input": "said"}' },
		{ response: expect.stringMatching(/^said at 0\.\d+$/) },
	],
	[
		'Date & Time',
		() => toolOf('n8n-nodes-base.dateTimeTool', 2, { operation: 'getCurrentDate', options: {} }),
		{},
		{ currentDate: expect.stringMatching(/^\d{4}-/) },
	],
	[
		'Think Tool',
		() => toolOf('@n8n/n8n-nodes-langchain.toolThink', 1.1),
		{ toolArguments: '{"input": "hm"}' },
		{ response: 'hm' },
	],
	[
		'MCP Client 1.3',
		() => mcpTool(1.3),
		{ toolName: 'pay' },
		{ response: [{ type: 'text', text: expect.stringMatching(/^payment 1 of/) }] },
	],
	[
		'MCP Client by its full name',
		() => mcpTool(),
		{ toolName: 'My_Tool_pay' },
		{ response: [{ type: 'text', text: expect.stringMatching(/^payment 2 of/) }] },
	],
])('%s runs once, and its very result comes back', async (name, tool, parameters, expected) => {
	const execute = await workflowOf(`ai-${name.replaceAll(/\W+/g, '-')}`, tool(), parameters);
	const first = await execute(name);
	expect(failureOf(first).message).toBe('');
	expect(itemOf(first)).toMatchObject({ ...expected, durable: { replayed: false } });
	const { durable: _first, ...result } = itemOf(first);
	const { durable, ...replayed } = itemOf(await execute(name));
	expect(replayed).toEqual(result);
	expect(durable).toMatchObject({ run: name, replayed: true });
});

it('an MCP server gets the arguments, and neither the key nor the run', () => {
	const calls = mcp.calls
		.filter(({ body }) => body.includes('"tools/call"'))
		.map(({ body }) => JSON.parse(body).params);
	expect(calls).toHaveLength(2);
	for (const { name, arguments: args } of calls) {
		expect(name).toBe('pay');
		expect(Object.keys(args)).not.toEqual(expect.arrayContaining(['idempotencyKey']));
		expect(Object.keys(args)).not.toEqual(expect.arrayContaining(['durable']));
		expect(args.orderId).toMatch(/^MCP Client/);
	}
});

it.each<[string, () => WorkflowNode, Record<string, unknown>, RegExp]>([
	[
		'an MCP tool that says that it failed',
		() => mcpTool(),
		{ toolName: 'decline' },
		/is in doubt \(declined by the bank\)/,
	],
	['code that throws', () => code('throw new Error("lost")'), {}, /is in doubt \(lost/],
])('%s is in doubt', async (name, tool, parameters, sentence) => {
	const execute = await workflowOf(`ai-${name.replaceAll(' ', '-')}`, tool(), parameters);
	expect(failureOf(await execute(name)).message).toMatch(sentence);
	expect(await stepsOf(journal, name)).toMatchObject([{ state: 'in_doubt' }]);
});

it.each<[string, () => WorkflowNode, Record<string, unknown>, RegExp]>([
	[
		'an MCP tool that does not exist',
		() => mcpTool(),
		{ toolName: 'refund' },
		/^"My Tool" has no tool "refund": choose one of My_Tool_pay, My_Tool_decline\.$/,
	],
	['an MCP Client without a Tool Name', () => mcpTool(), {}, /is a toolkit: enter a Tool Name/],
	['an MCP Client of version 1.2', () => mcpTool(1.2), { toolName: 'pay' }, /1\.3 or newer/],
])('%s is refused before anything is claimed', async (name, tool, parameters, sentence) => {
	const execute = await workflowOf(`ai-${name.replaceAll(/\W+/g, '-')}`, tool(), parameters);
	expect(failureOf(await execute(name)).message).toMatch(sentence);
	expect(await stepsOf(journal, name)).toEqual([]);
});
