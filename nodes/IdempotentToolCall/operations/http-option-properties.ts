import type { INodeProperties } from 'n8n-workflow';

const shown = (more: Record<string, string[]> = {}): INodeProperties['displayOptions'] => ({
	show: { '/operation': ['httpRequest'], ...more },
});

const statusList = (
	displayName: string,
	name: string,
	placeholder: string,
	description: string,
	standard = '',
): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: standard,
	placeholder,
	displayOptions: shown(),
	description,
});

/** In the node's `options` collection; see `readHttpOptions`. */
export const httpRequestOptions: INodeProperties[] = [
	{
		displayName: 'Follow 307 and 308',
		name: 'followUnsafe',
		type: 'boolean',
		default: false,
		displayOptions: shown({ '/method': ['DELETE', 'PATCH', 'POST', 'PUT'] }),
		description:
			'Whether to send the request again to the address that the receiver names with status 307 or 308, on the same host. Other redirects of these methods are never followed: whoever sends them has seen the request.',
	},
	{
		displayName: 'Headers in the Key',
		name: 'headersInKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. X-Tenant, Accept-Language',
		displayOptions: shown(),
		description:
			'Names of headers above whose values identify the call, too. The journal keeps them, so those with secrets are refused.',
	},
	{
		displayName: 'Idempotency Key Header',
		name: 'keyHeader',
		type: 'string',
		default: 'Idempotency-Key',
		placeholder: 'e.g. PayPal-Request-ID',
		displayOptions: shown(),
		description:
			'Name of the header in which the receiver looks for the key. Empty sends none: then no receiver can recognise a second try by it.',
	},
	{
		displayName: 'Ignore SSL Issues (Insecure)',
		name: 'ignoreSslIssues',
		type: 'boolean',
		default: false,
		displayOptions: shown(),
		description: 'Whether to send even where the certificate of the receiver cannot be checked',
	},
	{
		displayName: 'Items at Once',
		name: 'itemsAtOnce',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100 },
		default: 5,
		displayOptions: shown(),
		description:
			'How many requests are under way at the same time. 1 sends them one after the other, in order.',
	},
	{
		displayName: 'Max Redirects',
		name: 'maxRedirects',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 50 },
		default: 21,
		displayOptions: shown(),
		description:
			'How many redirects to follow for GET and HEAD, and where 307 and 308 are followed',
	},
	{
		displayName: 'Output File Field',
		name: 'responseFileField',
		type: 'string',
		default: 'data',
		displayOptions: shown({ responseFormat: ['file'] }),
		description: 'Name of the field of the output item that holds the file',
	},
	{
		displayName: 'Proxy',
		name: 'proxy',
		type: 'string',
		default: '',
		placeholder: 'e.g. http://proxy.example.com:3128',
		displayOptions: shown(),
		description: 'Address of an HTTP proxy that passes the request on',
	},
	{
		displayName: 'Response Format',
		name: 'responseFormat',
		type: 'options',
		options: [
			{
				name: 'Autodetect',
				value: 'auto',
				description: 'JSON where the answer is JSON, else its text',
			},
			{
				name: 'File',
				value: 'file',
				description:
					'A file of the output item. Up to 4 MiB are kept in the journal; of larger ones a later retry needs the file in n8n.',
			},
			{ name: 'Text', value: 'text', description: 'The text as it came, also where it is JSON' },
		],
		default: 'auto',
		displayOptions: shown(),
		description: 'As what to read the answer',
	},
	{
		displayName: 'Response Output',
		name: 'responseOutput',
		type: 'options',
		options: [
			{
				name: 'Body Only',
				value: 'body',
				description: 'The body is the item; of a list each element is one',
			},
			{
				name: 'Full Response',
				value: 'full',
				description:
					'With all headers: the journal then keeps them, Set-Cookie and other secrets included',
			},
			{ name: 'Status and Body', value: 'statusAndBody', description: 'No headers are kept' },
		],
		default: 'statusAndBody',
		displayOptions: shown(),
		description: 'What of the answer goes out, and is kept in the journal',
	},
	statusList(
		'Status Codes: Give Up On',
		'terminalStatuses',
		'e.g. 423, 501',
		'Answers after which nothing happened and trying again does not help. Empty: most of 400-499.',
	),
	statusList(
		'Status Codes: In Doubt On',
		'doubtStatuses',
		'e.g. 409',
		'Answers after which nobody knows whether it happened. Empty: 408 and most of 500-599, unless the method may be repeated.',
	),
	statusList(
		'Status Codes: Success',
		'successStatuses',
		'e.g. 200-299, 409',
		'Answers that are a result',
		'200-299',
	),
	statusList(
		'Status Codes: Try Again On',
		'retryStatuses',
		'e.g. 409, 500-504',
		'Answers after which nothing happened and the same request may be sent again. Empty: 425, 429, 529, and 503 with Retry-After.',
	),
	{
		displayName: 'Timeout (Seconds)',
		name: 'timeoutSeconds',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 86_400 },
		default: 60,
		displayOptions: shown(),
		description: 'How long to wait for the answer; after that the outcome is unknown',
	},
];
