/** One way in which people call tools: a row of the matrix. */
import type { Credential } from '../idempotent-tool-call-workflow';
import type { Execution, N8nClient, WorkflowDefinition, WorkflowNode } from '../n8n/n8n-client';

/** What the cell wants of the call. */
export interface CallSettings {
	/** How long the call waits for its answer. */
	timeoutSeconds?: number;
	/** Added to the options of the durable node. */
	options?: Record<string, unknown>;
	/** Settings of the durable node, such as `onError`. */
	settings?: Record<string, unknown>;
	/** The call sends this value in `X-Api-Key`, from a credential. */
	secret?: string;
}

/** Where the cell's workflow will stand. */
export interface Place {
	client: N8nClient;
	/** Unique; also the webhook's path, the run and the order number. */
	order: string;
	/** Of the receiver. */
	url: string;
	journalApi: Credential;
	/** Of the model stand-in. */
	openAiApi: Credential;
	/** The row's credential with the secret, where the cell wants one. */
	authentication?: Record<string, Credential>;
	call: CallSettings;
}

/** Nodes for `Webhook → Call`; the webhook's body is `{ orderId, amount }`. */
export type CallNodes = Pick<WorkflowDefinition, 'connections'> & {
	/** With one named `Call`, whose input is the webhook's. */
	nodes: WorkflowNode[];
};

export interface Row {
	readonly name: string;
	/** Short, for order numbers. */
	readonly id: string;
	/** Whether n8n tells the durable node what the receiver's Retry-After said; of a tool's error it hands on no headers. */
	readonly seesRetryAfter: boolean;
	/** Type and data of the credential that sends a secret in `X-Api-Key`. */
	authentication(secret: string): { type: string; data: Record<string, unknown> };
	/** Everything that is to be tested; creates called workflows itself. */
	nodes(place: Place): CallNodes | Promise<CallNodes>;
	/** What a finished execution shows, in a few words; never throws for an execution that failed. */
	shown(execution: Execution): string;
}

/** The call's arguments, for rows that give them on the panel. */
export const ARGUMENTS = '={{ { orderId: $json.body.orderId, amount: $json.body.amount } }}';

export const headerAuth = (secret: string) => ({
	type: 'httpHeaderAuth',
	data: { name: 'X-Api-Key', value: secret },
});

/** Parameters of n8n's HTTP Request node or tool for this cell, besides the body. */
export const nativePost = ({ url, call, authentication }: Place, idempotencyKey: string) => ({
	method: 'POST',
	url,
	...(authentication && {
		authentication: 'genericCredentialType',
		genericAuthType: 'httpHeaderAuth',
	}),
	sendHeaders: true,
	headerParameters: { parameters: [{ name: 'Idempotency-Key', value: idempotencyKey }] },
	sendBody: true,
	specifyBody: 'json',
	options: { ...(call.timeoutSeconds && { timeout: call.timeoutSeconds * 1000 }) },
});

/** The durable node on the canvas, named `Call`. */
export const canvasCall = (
	{ journalApi, call }: Place,
	parameters: Record<string, unknown>,
	options: Record<string, unknown> = {},
): WorkflowNode => ({
	name: 'Call',
	type: 'n8n-nodes-durable.idempotentToolCall',
	typeVersion: 1,
	parameters: {
		runId: '={{ $json.body.orderId }}',
		...parameters,
		options: { sharedRunId: true, waitSeconds: 20, ...options, ...call.options },
	},
	credentials: { journalApi },
	...call.settings,
});
