import type { INodeProperties } from 'n8n-workflow';
import { only } from './operation-property';
import { pairList } from './pair-list-property';

/** For the list of the option On Doubt. */
export const lookItUp = {
	name: 'Look It Up',
	value: 'verify',
	description:
		'Asks the other system whether it happened, and goes on by the answer; without a clear answer it stops',
};

const whenLookedUp = { onInDoubt: ['verify'] };
const byHttp = { show: { ...whenLookedUp, lookUpBy: ['httpRequest'] } };
const byWorkflow = { show: { ...whenLookedUp, lookUpBy: ['subWorkflow'] } };

/** How to find out whether a call in doubt happened; in the node's `options` collection. */
export const lookUpOptions: INodeProperties[] = [
	{
		displayName: 'Look-Up By',
		name: 'lookUpBy',
		type: 'options',
		options: [
			{
				name: 'HTTP Request',
				value: 'httpRequest',
				description: 'Send a GET request',
			},
			{
				name: 'Sub-Workflow',
				value: 'subWorkflow',
				description: 'Call a workflow, which may use any node',
			},
		],
		default: 'httpRequest',
		displayOptions: { show: whenLookedUp },
		description: 'How to ask the other system whether the call happened',
	},
	{
		displayName: 'Look-Up Field',
		name: 'lookUpField',
		type: 'string',
		default: '',
		placeholder: 'e.g. data',
		displayOptions: byHttp,
		description:
			'Where in the JSON answer to look, such as data or data.0. It happened when something is there: that, or the first of a list, is the result. Nothing in the list, or status 404: it did not happen, and runs. Without the field, and on any error, the doubt stays. Empty: the whole answer.',
	},
	pairList('Look-Up Headers', 'lookUpHeaders', 'Header', 'Sent with the look-up', byHttp),
	pairList(
		'Look-Up Query Parameters',
		'lookUpQuery',
		'Parameter',
		'Added to the URL of the look-up',
		byHttp,
	),
	{
		displayName: 'Look-Up URL',
		name: 'lookUpUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com/invoices?orderId={{ $json.orderId }}',
		displayOptions: byHttp,
		description:
			'Asked by GET. An address that does not exist answers 404 too, which counts as "it did not happen": try it out.',
	},
	{
		displayName: 'Look-Up Workflow',
		name: 'lookUpWorkflowId',
		type: 'workflowSelector',
		default: '',
		displayOptions: byWorkflow,
		description:
			'Gets one item with input, key, runId and step of the call, and returns one with "happened" true (and a "result") or false. Anything else leaves the doubt. It must be published and must not wait.',
	},
	{
		displayName: 'Wait Before Looking (Seconds)',
		name: 'lookAfterSeconds',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 86_400 },
		default: 5,
		displayOptions: { show: whenLookedUp },
		description:
			'How long after the doubt arose to look: as long as the receiver may still need for what it was sent. A look that comes too early finds nothing, and the call is made twice.',
	},
];

/**
 * For operations that have no such field of their own; an HTTP request's Authenticate counts for both.
 * Shown also without a look-up: n8n cannot show a field or a credential by what an option says.
 */
export const lookUpAuthentication: INodeProperties = {
	displayName: 'Authenticate Look-Up',
	name: 'authenticate',
	type: 'boolean',
	default: false,
	displayOptions: only('connectedTool', 'subWorkflow'),
	description:
		'Whether the HTTP request of the option On Doubt: Look It Up sends a token, a password or a key from a credential. The tool or workflow itself does not get it.',
};
