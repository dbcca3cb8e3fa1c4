import type { INodeProperties } from 'n8n-workflow';
import { only } from '../operation-property';
import { httpBodyProperties } from './http-body-properties';
import { pairList } from '../pair-list-property';

export const httpRequestProperties: INodeProperties[] = [
	{
		displayName:
			'Method, URL, query and body identify the call; headers do so only where chosen. For services with their own n8n credentials use <b>Connected Tool</b>.',
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
		description: 'Complete, with http:// or https://; part of the identity',
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
	pairList(
		'Query Parameters',
		'query',
		'Parameter',
		'Added to the URL; part of the identity',
		only('httpRequest'),
	),
	pairList(
		'Headers',
		'headers',
		'Header',
		'Not part of the identity, unless chosen in the option Headers in the Key. Idempotency-Key is added by itself, unless given here.',
		only('httpRequest'),
	),
	...httpBodyProperties,
];
