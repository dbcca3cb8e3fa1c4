/** Workflows with Idempotent Tool Call, for the end-to-end tests. */
import type { Step } from '../../service/contract/steps';
import type { Journal } from '../journal-process';
import {
	errorOf,
	type Execution,
	type WorkflowDefinition,
	type WorkflowNode,
} from './n8n/n8n-client';
import { chain, noOp, to, webhook } from './n8n/workflow-parts';

export type Credential = { id: string; name: string };

/** An Idempotent Tool Call named `Call`, whose run is the order number of its item. */
export const callNode = (
	credential: Credential,
	parameters: Record<string, unknown>,
	options: Record<string, unknown> = {},
): WorkflowNode => ({
	name: 'Call',
	type: 'n8n-nodes-durable.idempotentToolCall',
	typeVersion: 1,
	parameters: {
		runId: '={{ $json.orderId }}',
		...parameters,
		options: { sharedRunId: true, leaseSeconds: 2, waitSeconds: 20, ...options },
	},
	credentials: { journalApi: credential },
});

/** n8n's own HTTP Request Tool, named `Tool`: posts the order, with the key in a header. */
export const httpTool = (
	url: string,
	parameters: Record<string, unknown> = {},
	settings: Record<string, unknown> = {},
): WorkflowNode => ({
	name: 'Tool',
	type: 'n8n-nodes-base.httpRequestTool',
	typeVersion: 4.2,
	parameters: {
		method: 'POST',
		url,
		sendHeaders: true,
		headerParameters: {
			parameters: [{ name: 'Idempotency-Key', value: '={{ $json.idempotencyKey }}' }],
		},
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ JSON.stringify({ orderId: $fromAI("orderId"), amount: 5 }) }}',
		options: {},
		...parameters,
	},
	...settings,
});

/** Splits the webhook's `orders` into one item each: `{ orderId }`. */
export const split: WorkflowNode = {
	name: 'Orders',
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: {
		jsCode:
			"return $('Webhook').first().json.body.orders.map((orderId) => ({ json: { orderId } }));",
	},
};

/** Webhook → Orders → Call → End, and whatever hangs under Call. */
export function oneCall(
	path: string,
	call: WorkflowNode,
	tools: WorkflowNode[] = [],
	settings: Record<string, unknown> = {},
): WorkflowDefinition {
	return {
		name: `Call ${path}`,
		nodes: [webhook(path), split, call, noOp('End'), ...tools],
		connections: {
			Webhook: { main: [[to('Orders')]] },
			Orders: { main: [[to('Call')]] },
			Call: { main: [[to('End')]] },
			...Object.fromEntries(
				tools.map((tool) => [tool.name, { ai_tool: [[to('Call', 'ai_tool')]] }]),
			),
		},
		settings,
	};
}

/** The trigger of a workflow that others call; it accepts all data unless told otherwise. */
export const called = (parameters: Record<string, unknown> = { inputSource: 'passthrough' }) => ({
	name: 'Called',
	type: 'n8n-nodes-base.executeWorkflowTrigger',
	typeVersion: 1.1,
	parameters,
});

/** A durable step of a called workflow, without a Run ID of its own: posts the order to `url`. */
export const inner = (
	credential: Credential,
	name: string,
	url: string,
	options: Record<string, unknown> = {},
): WorkflowNode => ({
	...callNode(
		credential,
		{
			runId: '',
			operation: 'httpRequest',
			method: 'POST',
			url,
			sendBody: true,
			body: "={{ ({ orderId: $('Called').first().json.orderId }) }}",
		},
		{ sharedRunId: false, ...options },
	),
	name,
});

/** A Sub-Workflow step named `Call`. */
export const subWorkflow = (
	credential: Credential,
	workflowId: string,
	options: Record<string, unknown> = {},
	parameters: Record<string, unknown> = {},
): WorkflowNode =>
	callNode(
		credential,
		{
			operation: 'subWorkflow',
			workflowId: { __rl: true, mode: 'id', value: workflowId },
			...parameters,
		},
		options,
	);

/** A workflow to be called: its trigger and a chain of nodes. */
export const child = (
	name: string,
	trigger: WorkflowNode,
	...nodes: WorkflowNode[]
): WorkflowDefinition => ({
	name,
	nodes: [trigger, ...nodes],
	connections: chain(...[trigger, ...nodes].map((node) => node.name)),
});

/** n8n's Wait node, until somebody posts to the execution's resume URL. */
export const waitForCall = (webhookId: string): WorkflowNode => ({
	name: 'Wait',
	type: 'n8n-nodes-base.wait',
	typeVersion: 1.1,
	webhookId,
	parameters: { resume: 'webhook', httpMethod: 'POST', options: {} },
});

/** The error of a node with its description, of an execution that failed. */
export function failureOf(execution: Execution): { message: string; description: string } {
	const { message, description } = execution.data?.resultData?.error ?? {};
	return { message: message ?? errorOf(execution) ?? '', description: description ?? '' };
}

/** The steps of a run, without input and result. */
export async function stepsOf(
	journal: Journal,
	runId: string,
): Promise<Array<Omit<Step, 'input' | 'result'>>> {
	const { body } = await journal.request('GET', `/v1/runs/${encodeURIComponent(runId)}`);
	return body.steps ?? [];
}

/** Settles a step as a person would after looking into the other system. */
export async function resolveStep(
	journal: Journal,
	key: string,
	as: 'completed' | 'failed' | 'retry',
	result?: unknown,
): Promise<void> {
	const { status, body } = await journal.admin('POST', `/v1/steps/${key}/resolve`, {
		as,
		...(result !== undefined && { result }),
		reason: 'looked into the other system',
		by: 'Operator',
	});
	if (status !== 200) throw new Error(`resolve: ${status} ${JSON.stringify(body)}`);
}
