/** Workflows with Idempotent Tools between an AI Agent and its tools, for the end-to-end tests. */
import { planPrompt, type Plan } from '../stand-ins/chat-model';
import type { Credential } from './idempotent-tool-call-workflow';
import type { WorkflowDefinition, WorkflowNode } from './n8n/n8n-client';
import { to, webhook } from './n8n/workflow-parts';

export interface AgentCredentials {
	journalApi: Credential;
	openAiApi: Credential;
}

export interface AgentSetting {
	credentials: AgentCredentials;
	/** Node type version of the agent. */
	version?: number;
	tools: WorkflowNode[];
	rules?: Array<Record<string, unknown>>;
	options?: Record<string, unknown>;
	/** Settings of the node, such as `onError`. */
	settings?: Record<string, unknown>;
	/** Tools that the agent has beside those under Idempotent Tools. */
	direct?: WorkflowNode[];
	runId?: string;
}

/** An agent that reads its plan from the item: `{ title, plan }`. */
export const agent = (name: string, version: number): WorkflowNode => ({
	name,
	type: '@n8n/n8n-nodes-langchain.agent',
	typeVersion: version,
	parameters: { promptType: 'define', text: '={{ $json.prompt }}', options: {} },
});

export const chatModel = (openAiApi: Credential): WorkflowNode => ({
	name: 'Model',
	type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
	typeVersion: 1.3,
	parameters: {
		model: { __rl: true, mode: 'id', value: 'gpt-4o-mini' },
		responsesApiEnabled: false,
		options: { maxRetries: 0 },
	},
	credentials: { openAiApi },
});

/** n8n's HTTP Request Tool, which posts an order to a receiver; the model gives `orderId` and `amount`. */
export const postTool = (name: string, url: string): WorkflowNode => ({
	name,
	type: 'n8n-nodes-base.httpRequestTool',
	typeVersion: 4.2,
	parameters: {
		toolDescription: `Posts an order to ${name}`,
		method: 'POST',
		url,
		sendHeaders: true,
		headerParameters: {
			parameters: [{ name: 'Idempotency-Key', value: '={{ $json.idempotencyKey }}' }],
		},
		sendBody: true,
		specifyBody: 'json',
		jsonBody:
			'={{ JSON.stringify({ orderId: $fromAI("orderId", "order number", "string"), amount: $fromAI("amount", "in euro", "number") }) }}',
		options: {},
	},
});

/** n8n's HTTP Request Tool, which reads; the model gives `taxId`. */
export const getTool = (name: string, url: string): WorkflowNode => ({
	name,
	type: 'n8n-nodes-base.httpRequestTool',
	typeVersion: 4.2,
	parameters: {
		toolDescription: 'Looks a company up',
		method: 'GET',
		url: `=${url}/{{ $fromAI("taxId", "tax number", "string") }}`,
		options: {},
	},
});

export const idempotentTools = ({
	credentials,
	rules,
	options,
	settings,
	runId,
}: AgentSetting): WorkflowNode => ({
	name: 'Once',
	type: 'n8n-nodes-durable.idempotentTools',
	typeVersion: 1,
	parameters: {
		runId: runId ?? "={{ $('Webhook').first().json.body.run }}",
		...(rules && { rules: { rule: rules } }),
		options: { sharedRunId: true, leaseSeconds: 2, waitSeconds: 20, ...options },
	},
	credentials: { journalApi: credentials.journalApi },
	...settings,
});

/** Webhook → one item for each of the body's `prompts` → Agent, with Once and the tools under it. */
export function agentWorkflow(path: string, setting: AgentSetting): WorkflowDefinition {
	const { credentials, version = 3.1, tools, direct = [] } = setting;
	return {
		name: `Agent ${path}`,
		nodes: [
			webhook(path),
			{
				name: 'Prompts',
				type: 'n8n-nodes-base.code',
				typeVersion: 2,
				parameters: {
					jsCode:
						"return $('Webhook').first().json.body.prompts.map((prompt) => ({ json: { prompt } }));",
				},
			},
			agent('Agent', version),
			chatModel(credentials.openAiApi),
			idempotentTools(setting),
			...tools,
			...direct,
		],
		connections: {
			Webhook: { main: [[to('Prompts')]] },
			Prompts: { main: [[to('Agent')]] },
			Model: { ai_languageModel: [[to('Agent', 'ai_languageModel')]] },
			Once: { ai_tool: [[to('Agent', 'ai_tool')]] },
			...Object.fromEntries(
				tools.map(({ name }) => [name, { ai_tool: [[to('Once', 'ai_tool')]] }]),
			),
			...Object.fromEntries(
				direct.map(({ name }) => [name, { ai_tool: [[to('Agent', 'ai_tool')]] }]),
			),
		},
	};
}

/** The webhook's body for one run and the plans of its items. */
export const planned = (run: string, ...plans: Plan[]) => ({
	run,
	prompts: plans.map((plan) => planPrompt(run, plan)),
});
