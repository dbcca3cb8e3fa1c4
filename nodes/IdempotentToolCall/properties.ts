import type { INodeProperties } from 'n8n-workflow';
import { onInDoubtOptions, runIdProperty, stepOptions } from '../shared/run-properties';

export type Operation = 'connectedTool' | 'httpRequest' | 'subWorkflow';

const only = (...operations: Operation[]): INodeProperties['displayOptions'] => ({
	show: { operation: operations },
});

const pairList = (
	displayName: string,
	name: string,
	item: string,
	description: string,
): INodeProperties => ({
	displayName,
	name,
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: `Add ${item}`,
	default: {},
	displayOptions: only('httpRequest'),
	description,
	options: [
		{
			displayName: item,
			name: 'parameters',
			values: [
				{ displayName: 'Name', name: 'name', type: 'string', default: '' },
				{ displayName: 'Value', name: 'value', type: 'string', default: '' },
			],
		},
	],
});

const operation: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Connected Tool',
			value: 'connectedTool',
			action: 'Run the connected tool once',
			description: 'Run any n8n tool node that hangs under this node, with its own credentials',
		},
		{
			name: 'HTTP Request',
			value: 'httpRequest',
			action: 'Send an HTTP request once',
			description: 'Send a request with an Idempotency-Key header',
		},
		{
			name: 'Sub-Workflow',
			value: 'subWorkflow',
			action: 'Call a workflow once',
			description: 'Call a workflow that does not wait, and hand the run down to it',
		},
	],
	default: 'connectedTool',
};

const connectedTool: INodeProperties[] = [
	{
		displayName:
			'Connect one tool below. It runs once for each item; a retry gets the recorded result. Leave the tool\'s own <b>On Error</b> and <b>Retry On Fail</b> unset, and do not use "Execute step" on the tool itself: that runs it unrecorded.',
		name: 'connectedToolNotice',
		type: 'notice',
		default: '',
		displayOptions: only('connectedTool'),
	},
	{
		displayName: 'Arguments',
		name: 'toolArguments',
		type: 'json',
		default: '={{ $json }}',
		displayOptions: only('connectedTool'),
		// eslint-disable-next-line n8n-nodes-base/node-param-description-miscased-json -- an expression
		description:
			'What identifies the call, together with the kind of tool, and what the tool reads as {{ $json.name }} or $fromAI("name"). The idempotency key and the run ID are at {{ $json.idempotencyKey }} and {{ $json.runId }}. Leave out what changes between tries, such as the time. What is typed into the tool itself is not part of the identity.',
	},
	{
		displayName: 'Tool Name',
		name: 'toolName',
		type: 'string',
		default: '',
		displayOptions: only('connectedTool'),
		description: 'Which tool of a toolkit to call, such as an MCP Client. Empty for all others.',
	},
];

const httpRequest: INodeProperties[] = [
	{
		displayName:
			'Method, URL, query and body identify the call; headers do not. For services with their own n8n credentials use <b>Connected Tool</b>.',
		name: 'httpRequestNotice',
		type: 'notice',
		default: '',
		displayOptions: only('httpRequest'),
	},
	{
		displayName: 'Method',
		name: 'method',
		type: 'options',
		options: ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'].map((name) => ({
			name,
			value: name,
		})),
		default: 'POST',
		displayOptions: only('httpRequest'),
		description:
			'GET and HEAD are repeated when their outcome is unknown; PUT and DELETE after an unclear error, too',
	},
	{
		displayName: 'URL',
		name: 'url',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. https://example.com/invoices',
		displayOptions: only('httpRequest'),
	},
	{
		displayName: 'Authenticate',
		name: 'authenticate',
		type: 'boolean',
		default: false,
		displayOptions: only('httpRequest'),
		description:
			'Whether to send a token, a password or a key from a credential, which is not part of the identity and not in the journal',
	},
	pairList('Query Parameters', 'query', 'Parameter', 'Added to the URL; part of the identity'),
	pairList(
		'Headers',
		'headers',
		'Header',
		'Not part of the identity. Idempotency-Key is added by itself, unless given here.',
	),
	{
		displayName: 'Send Body',
		name: 'sendBody',
		type: 'boolean',
		default: false,
		displayOptions: {
			show: { operation: ['httpRequest'], method: ['DELETE', 'PATCH', 'POST', 'PUT'] },
		},
		description: 'Whether to send a JSON body',
	},
	{
		displayName: 'JSON Body',
		name: 'body',
		type: 'json',
		default: '={{ $json }}',
		displayOptions: {
			show: {
				operation: ['httpRequest'],
				method: ['DELETE', 'PATCH', 'POST', 'PUT'],
				sendBody: [true],
			},
		},
		description:
			'Part of the identity: leave out what changes between tries, such as the time. Members named "durable" that other durable nodes added are left out.',
	},
];

const subWorkflow: INodeProperties[] = [
	{
		displayName:
			'The workflow must be published and must not wait. To let its own durable nodes share this run, its trigger must accept all data, or declare an input named <b>durable</b> of type object.',
		name: 'subWorkflowNotice',
		type: 'notice',
		default: '',
		displayOptions: only('subWorkflow'),
	},
	{
		displayName: 'Workflow',
		name: 'workflowId',
		type: 'workflowSelector',
		required: true,
		default: '',
		displayOptions: only('subWorkflow'),
	},
	{
		displayName: 'Inputs',
		name: 'workflowInputs',
		type: 'json',
		default: '={{ $json }}',
		displayOptions: only('subWorkflow'),
		description: 'The item that the workflow gets, as a JSON object; part of the identity',
	},
];

const byName = (a: INodeProperties, b: INodeProperties) =>
	a.displayName.localeCompare(b.displayName, 'en');

const timeout: INodeProperties = {
	displayName: 'Timeout (Seconds)',
	name: 'timeoutSeconds',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 86_400 },
	default: 60,
	displayOptions: { show: { '/operation': ['httpRequest'] } },
	description: 'How long to wait for the answer; after that the outcome is unknown',
};

/** What identifies the call; by default all of its arguments. */
const keyOptions: INodeProperties[] = [
	{
		displayName: 'Key Fields',
		name: 'keyFieldsOnly',
		type: 'string',
		default: '',
		placeholder: 'e.g. body.orderId, body.lines.sku',
		description:
			'Only these identify the call, beside the tool, address or workflow. Begin with arguments (Connected Tool), body or query (HTTP Request) or inputs (Sub-Workflow); in a list each element is meant.',
	},
	{
		displayName: 'Key Fields Left Out',
		name: 'keyFieldsLeftOut',
		type: 'string',
		default: '',
		placeholder: 'e.g. body.sentAt, body.meta.requestId',
		description:
			'These do not identify the call, such as times and request IDs, which change between tries. Named as in Key Fields.',
	},
	{
		displayName: 'Key Includes Item and Loop Index',
		name: 'keyIncludesPlace',
		type: 'boolean',
		default: false,
		description:
			'Whether two items with the same arguments are two calls. Without it they are one. Leave it off where items may come in another order on a retry.',
	},
	{
		displayName: 'Own Idempotency Key',
		name: 'ownKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.paymentId }}',
		description:
			'Identifies the call within the run in place of its arguments. The same key with other arguments is refused.',
	},
];

const itemsAtOnce: INodeProperties = {
	displayName: 'Items at Once',
	name: 'itemsAtOnce',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100 },
	default: 5,
	displayOptions: { show: { '/operation': ['httpRequest'] } },
	description:
		'How many requests are under way at the same time. 1 sends them one after the other, in order.',
};

export const properties: INodeProperties[] = [
	operation,
	runIdProperty,
	...connectedTool,
	...httpRequest,
	...subWorkflow,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [...stepOptions, ...onInDoubtOptions, ...keyOptions, itemsAtOnce, timeout].sort(
			byName,
		),
	},
];
