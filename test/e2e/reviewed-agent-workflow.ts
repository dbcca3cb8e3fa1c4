/** Workflows with an Approval Gate as the human review between an AI Agent and its tools. */
import type { PlannedCall } from '../stand-ins/chat-model';
import {
	agent,
	chatModel,
	postTool,
	type AgentCredentials,
	type AgentSetting,
} from './idempotent-tools-workflow';
import type { WorkflowDefinition, WorkflowNode } from './n8n/n8n-client';
import { to, webhook } from './n8n/workflow-parts';

export interface ReviewedSetting {
	credentials: AgentCredentials;
	/** Tools behind the review. */
	tools: WorkflowNode[];
	/** Tools that the agent has beside them. */
	direct?: WorkflowNode[];
	/** Stands between the review and the tools. */
	between?: WorkflowNode;
	parameters?: Record<string, unknown>;
	/** Settings of the gate's node, such as `onError`. */
	settings?: Record<string, unknown>;
	/** What takes the agent's answer. */
	after?: WorkflowNode[];
}

/** The generated variant of the Approval Gate that n8n puts between an agent and its tools. */
export const reviewNode = ({
	credentials,
	parameters,
	settings,
}: ReviewedSetting): WorkflowNode => ({
	name: 'Review',
	type: 'n8n-nodes-durable.approvalGateHitlTool',
	typeVersion: 1,
	parameters: {
		runId: "={{ $('Webhook').first().json.body.run }}",
		options: { sharedRunId: true },
		...parameters,
	},
	credentials: { journalApi: credentials.journalApi },
	...settings,
});

/** Webhook → one item for each of the body's `prompts` → Agent, with the tools behind Review. */
export function reviewedWorkflow(path: string, setting: ReviewedSetting): WorkflowDefinition {
	const { credentials, tools, direct = [], between, after = [] } = setting;
	const last = between ?? { name: 'Review' };
	const tool = (nodes: WorkflowNode[], parent: string) =>
		nodes.map(({ name }) => [name, { ai_tool: [[to(parent, 'ai_tool')]] }] as const);
	return {
		name: `Reviewed ${path}`,
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
			agent('Agent', 3.1),
			chatModel(credentials.openAiApi),
			reviewNode(setting),
			...(between ? [between] : []),
			...tools,
			...direct,
			...after,
		],
		connections: {
			Webhook: { main: [[to('Prompts')]] },
			Prompts: { main: [[to('Agent')]] },
			Model: { ai_languageModel: [[to('Agent', 'ai_languageModel')]] },
			...Object.fromEntries([
				...tool([{ name: 'Review' } as WorkflowNode, ...direct], 'Agent'),
				...(between ? tool([between], 'Review') : []),
				...tool(tools, last.name),
			]),
			...(after[0] && { Agent: { main: [[to(after[0].name)]] } }),
		},
	};
}

/** Charge and Notify, which are behind the review. */
export const effectTools = (baseUrl: string): AgentSetting['tools'] => [
	postTool('Charge', `${baseUrl}/invoices`),
	postTool('Notify', `${baseUrl}/mail/ops`),
];

/** A call as the model makes it of a tool behind a review: n8n asks it for these two members. */
export const reviewed = (
	{ tool, args }: PlannedCall,
	hitlParameters: Record<string, unknown> = {},
): PlannedCall => ({ tool, args: { toolParameters: args, hitlParameters } });
