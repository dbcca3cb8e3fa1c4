import type { INodeProperties } from 'n8n-workflow';
import { runIdProperty, stepOptions } from '../shared/run-properties';
import { deadlineProperties } from './deadline-properties';

/** Which run, what is shown to people, where, and until when. */
export const gateProperties: INodeProperties[] = [
	runIdProperty,
	{
		displayName: 'Title',
		name: 'title',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Send the invoice?',
		description: 'The question, in one line',
	},
	{
		displayName: 'Message',
		name: 'message',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		placeholder: 'e.g. 1,200 EUR to Acme for order 4711',
		description: 'What people need to know to decide',
	},
	{
		displayName: 'Details',
		name: 'details',
		type: 'json',
		default: '={{ $json }}',
		description:
			'What is being approved, as data. It is shown beside the message and identifies the gate: asked again with the same details, the same gate answers. Leave out what changes between tries, such as the current time.',
	},
	{
		displayName:
			'Several items in one input are approved together, by one decision. For a decision each, put this node into a Loop Over Items.',
		name: 'itemsNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Channels',
		name: 'channels',
		type: 'multiOptions',
		default: [],
		description:
			"Where people are asked. Every open gate is also on the journal's inbox page, with no channel too.",
		options: [{ name: 'Telegram', value: 'telegram' }],
	},
	...deadlineProperties,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Gate Name',
				name: 'gateName',
				type: 'string',
				default: '',
				description:
					'Names the gate within the run. Empty: this node. Give one when the node may be replaced while runs are waiting.',
			},
			...stepOptions.filter(({ name }) => name === 'sharedRunId'),
			{
				displayName: 'Telegram Chat ID',
				name: 'telegramChatId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 123456789',
				description: "The chat that is asked. Empty: the journal's own default chat.",
			},
		],
	},
];
