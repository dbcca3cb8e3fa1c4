/** Idempotent Tools in a real n8n where agents and MCP servers are tools, and workflows are called. */
import { planPrompt, type Plan } from '../stand-ins/chat-model';
import { effectsOf, runToEnd, useAgentScene } from './agent-scene';
import { callNode, called, child, stepsOf } from './idempotent-tool-call-workflow';
import {
	agent,
	agentWorkflow,
	chatModel,
	idempotentTools,
	planned,
	postTool,
} from './idempotent-tools-workflow';
import { errorOf, type WorkflowNode } from './n8n/n8n-client';
import { chain, to, webhook } from './n8n/workflow-parts';
import { startMcpServer } from './servers-by-others/mcp-server';
import { mcpTool } from './servers-by-others/mcp-tool';

jest.setTimeout(240_000);

const scene = useAgentScene();

const chargeTool = () => postTool('Charge', `${scene.receivers.baseUrl}/invoices`);
const charge = (orderId: string) => ({ tool: 'Charge', args: { orderId, amount: 5 } });

const effects = (ref: string) => effectsOf(scene, ref);

const run = (workflowId: string, path: string, body: unknown) =>
	runToEnd(scene, workflowId, path, body);

/** An agent that is a tool; the agent above writes its prompt. */
const agentTool: WorkflowNode = {
	name: 'Clerk',
	type: '@n8n/n8n-nodes-langchain.agentTool',
	typeVersion: 3,
	parameters: {
		toolDescription: 'Does what the prompt says',
		text: '={{ $fromAI("prompt", "what to do", "string") }}',
		options: {},
	},
};
const askClerk = (title: string, plan: Plan) => ({
	tool: 'Clerk',
	args: { prompt: planPrompt(title, plan) },
});

it('records the calls of an agent that is a tool', async () => {
	const definition = agentWorkflow('sub-agent', {
		credentials: scene.credentials,
		tools: [chargeTool()],
	});
	const workflowId = await scene.n8n.client.createWorkflow({
		...definition,
		nodes: [...definition.nodes, agentTool],
		connections: {
			...definition.connections,
			Once: { ai_tool: [[to('Clerk', 'ai_tool')]] },
			Clerk: { ai_tool: [[to('Agent', 'ai_tool')]] },
			Model: {
				ai_languageModel: [[to('Agent', 'ai_languageModel'), to('Clerk', 'ai_languageModel')]],
			},
		},
	});
	const body = planned('S-1', [[askClerk('S-1 clerk', [[charge('S-1')]])]]);
	for (const _ of [1, 2]) {
		expect(errorOf(await run(workflowId, 'sub-agent', body))).toBeUndefined();
		expect(await effects('S-1')).toEqual({ '/invoices': 1 });
	}
	expect((await stepsOf(scene.journal, 'S-1')).map(({ state }) => state)).toEqual(['completed']);
});

it('records an agent that is a tool as one call', async () => {
	const definition = agentWorkflow('agent-under', {
		credentials: scene.credentials,
		tools: [agentTool],
	});
	const workflowId = await scene.n8n.client.createWorkflow({
		...definition,
		nodes: [...definition.nodes, chargeTool()],
		connections: {
			...definition.connections,
			Charge: { ai_tool: [[to('Clerk', 'ai_tool')]] },
			Model: {
				ai_languageModel: [[to('Agent', 'ai_languageModel'), to('Clerk', 'ai_languageModel')]],
			},
		},
	});
	const body = planned('S-2', [[askClerk('S-2 clerk', [[charge('S-2')]])]]);
	for (const _ of [1, 2]) {
		expect(errorOf(await run(workflowId, 'agent-under', body))).toBeUndefined();
		expect(await effects('S-2')).toEqual({ '/invoices': 1 });
	}
	expect(scene.model.calls.filter(({ title }) => title === 'S-2 clerk')).toHaveLength(2);
});

it('records the calls of an MCP server’s tools, each under its own name, and sends it nothing but the arguments', async () => {
	const mcp = await startMcpServer();
	try {
		const definition = agentWorkflow('mcp', {
			credentials: scene.credentials,
			tools: [mcpTool(mcp.url), chargeTool()],
			rules: [{ tool: 'get-sum', calls: 'repeatable' }],
		});
		const workflowId = await scene.n8n.client.createWorkflow(definition);
		const echo = (message: unknown) => ({ tool: 'Everything_echo', args: { message } });
		const sum = { tool: 'Everything_get-sum', args: { a: 2, b: 3 } };
		const body = planned('S-5', [
			[echo('S-5'), charge('S-5')],
			[echo('S-5'), sum],
			[sum, echo(7)],
		]);
		for (const _ of [1, 2]) {
			expect(errorOf(await run(workflowId, 'mcp', body))).toBeUndefined();
			expect(mcp.calls('echo')).toEqual([{ message: 'S-5' }]);
			expect(mcp.calls('get-sum')).toEqual([sum.args, sum.args]);
			expect(await effects('S-5')).toEqual({ '/invoices': 1 });
		}
		const said = scene.model.calls.findLast(({ title }) => title === 'S-5')!.toolMessages;
		expect(said[0]).toContain('Echo: S-5');
		expect(said[2]).toContain('This same call was made before');
		expect(said[5]).toMatch(/arguments do not fit .*message: /);
	} finally {
		await mcp.stop();
	}
});

describe('in a called workflow, without a Run ID', () => {
	let childId: string;

	/** Webhook → a node that calls the child once for the order. */
	const caller = (path: string, call: WorkflowNode) => ({
		name: `Caller ${path}`,
		nodes: [webhook(path), call],
		connections: { Webhook: { main: [[to(call.name)]] } },
	});

	beforeAll(async () => {
		const tools = idempotentTools({ credentials: scene.credentials, tools: [], runId: '' });
		const definition = child('Child with an agent', called(), agent('Agent', 3.1));
		childId = await scene.n8n.client.createWorkflow({
			...definition,
			nodes: [...definition.nodes, chatModel(scene.credentials.openAiApi), tools, chargeTool()],
			connections: {
				...definition.connections,
				Model: { ai_languageModel: [[to('Agent', 'ai_languageModel')]] },
				Once: { ai_tool: [[to('Agent', 'ai_tool')]] },
				Charge: { ai_tool: [[to('Once', 'ai_tool')]] },
			},
		});
	});

	it('belongs to the run that the caller hands down', async () => {
		const workflowId = await scene.n8n.client.createWorkflow(
			caller('handed', {
				...callNode(scene.credentials.journalApi, {
					operation: 'subWorkflow',
					workflowId: { __rl: true, mode: 'id', value: childId },
					workflowInputs: '={{ { prompt: $json.body.prompt } }}',
					runId: '={{ $json.body.run }}',
				}),
			}),
		);
		const body = { run: 'S-3', prompt: planPrompt('S-3', [[charge('S-3')]]) };
		const execution = await run(workflowId, 'handed', body);
		expect(errorOf(execution)).toBeUndefined();
		expect(await effects('S-3')).toEqual({ '/invoices': 1 });
		expect(await stepsOf(scene.journal, 'S-3')).toHaveLength(2);
	});

	it('refuses a caller that hands down no run: a retry of it would repeat everything', async () => {
		const prompt: WorkflowNode = {
			name: 'Prompt',
			type: 'n8n-nodes-base.code',
			typeVersion: 2,
			parameters: {
				jsCode: 'return { json: { prompt: $json.body.prompt } };',
				mode: 'runOnceForEachItem',
			},
		};
		const execute: WorkflowNode = {
			name: 'Execute',
			type: 'n8n-nodes-base.executeWorkflow',
			typeVersion: 1.2,
			parameters: {
				workflowId: { __rl: true, mode: 'id', value: childId },
				workflowInputs: { mappingMode: 'defineBelow', value: {} },
				options: {},
			},
		};
		const workflowId = await scene.n8n.client.createWorkflow({
			name: 'Caller plain',
			nodes: [webhook('plain'), prompt, execute],
			connections: chain('Webhook', 'Prompt', 'Execute'),
		});
		await run(workflowId, 'plain', { prompt: planPrompt('S-4', [[charge('S-4')]]) });
		const { toolMessages } = scene.model.calls.findLast(({ title }) => title === 'S-4')!;
		expect(toolMessages[0]).toContain('handed down no run: give a Run ID here');
		expect(await effects('S-4')).toEqual({});
	});
});
