import type { INodeProperties } from 'n8n-workflow';
import { only } from '../operation-property';

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

export const httpRequestProperties: INodeProperties[] = [
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

/** In the node's `options` collection. */
export const httpRequestOptions: INodeProperties[] = [
	{
		displayName: 'Items at Once',
		name: 'itemsAtOnce',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100 },
		default: 5,
		displayOptions: { show: { '/operation': ['httpRequest'] } },
		description:
			'How many requests are under way at the same time. 1 sends them one after the other, in order.',
	},
	{
		displayName: 'Timeout (Seconds)',
		name: 'timeoutSeconds',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 86_400 },
		default: 60,
		displayOptions: { show: { '/operation': ['httpRequest'] } },
		description: 'How long to wait for the answer; after that the outcome is unknown',
	},
];
