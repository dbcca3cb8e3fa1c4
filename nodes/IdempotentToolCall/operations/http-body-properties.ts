import type { INodeProperties } from 'n8n-workflow';
import { pairList } from '../pair-list-property';

const WITH_BODY = { operation: ['httpRequest'], method: ['DELETE', 'PATCH', 'POST', 'PUT'] };

const ofKind = (kind: string): INodeProperties['displayOptions'] => ({
	show: { ...WITH_BODY, sendBody: [true], bodyKind: [kind] },
});

/** What is sent; see `readBody`. */
export const httpBodyProperties: INodeProperties[] = [
	{
		displayName: 'Send Body',
		name: 'sendBody',
		type: 'boolean',
		default: false,
		displayOptions: { show: WITH_BODY },
		description: 'Whether to send a body, which is part of the identity',
	},
	{
		displayName: 'Body Kind',
		name: 'bodyKind',
		type: 'options',
		options: [
			{
				name: 'File',
				value: 'file',
				description: 'One file of the item, with its own content type',
			},
			{
				name: 'Form (Multipart)',
				value: 'multipart',
				description: 'Fields and files, as multipart/form-data',
			},
			{
				name: 'Form (URL-Encoded)',
				value: 'form',
				description: 'Fields, as application/x-www-form-urlencoded',
			},
			{ name: 'JSON', value: 'json', description: 'Any JSON' },
			{ name: 'Text', value: 'raw', description: 'Any text, with a content type of your choice' },
		],
		default: 'json',
		displayOptions: { show: { ...WITH_BODY, sendBody: [true] } },
		description: 'In which form the body is sent',
	},
	{
		displayName: 'JSON Body',
		name: 'body',
		type: 'json',
		default: '={{ $json }}',
		displayOptions: ofKind('json'),
		description:
			'Part of the identity: leave out what changes between tries, such as the time. Members named "durable" that other durable nodes added are left out.',
	},
	pairList(
		'Form Fields',
		'formFields',
		'Field',
		'Part of the identity: leave out what changes between tries. A name may be given several times.',
		ofKind('form'),
	),
	{
		displayName: 'Parts',
		name: 'multipart',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Part',
		default: {},
		displayOptions: ofKind('multipart'),
		description:
			'Part of the identity: a text by its value, a file by its content and type. The name of a file is not.',
		options: [
			{
				displayName: 'Part',
				name: 'parts',
				values: [
					{
						displayName: 'Kind',
						name: 'kind',
						type: 'options',
						options: [
							{ name: 'File', value: 'file' },
							{ name: 'Text', value: 'text' },
						],
						default: 'text',
						description: 'Whether the part is a text or a file of the item',
					},
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						description: 'Name of the part, as the receiver expects it',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						displayOptions: { show: { kind: ['text'] } },
						description: 'The text that is sent',
					},
					{
						displayName: 'Input File Field',
						name: 'fileField',
						type: 'string',
						default: 'data',
						displayOptions: { show: { kind: ['file'] } },
						hint: 'The name of the field of the item that holds the file',
						description: 'It is read into memory while it is sent',
					},
				],
			},
		],
	},
	{
		displayName: 'Content Type',
		name: 'rawContentType',
		type: 'string',
		default: 'text/plain',
		placeholder: 'e.g. application/xml',
		displayOptions: ofKind('raw'),
		description: 'What the receiver is told that the text is; part of the identity',
	},
	{
		displayName: 'Text Body',
		name: 'rawBody',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		displayOptions: ofKind('raw'),
		description: 'Sent as it is, in UTF-8; part of the identity',
	},
	{
		displayName: 'Input File Field',
		name: 'bodyFileField',
		type: 'string',
		default: 'data',
		displayOptions: ofKind('file'),
		hint: 'The name of the field of the item that holds the file',
		description: 'Its content and type are part of the identity, its name is not',
	},
];
