import type { INodeProperties } from 'n8n-workflow';
import { runIdProperty, stepOptions } from '../shared/run-properties';
import { deadlineProperties } from './deadline-properties';
import { editingOptions } from './editing-properties';
import { outputOptions } from './outputs';
import { approverProperties, peopleOptions } from './people-properties';
import { reminderOptions } from './reminder-properties';
import { notInReview, reviewTitle } from './tool-review-properties';

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
		displayOptions: notInReview,
	},
	reviewTitle,
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
		displayOptions: notInReview,
		description:
			'What is being approved, as data. It is shown beside the message and identifies the gate: asked again with the same details, the same gate answers. Leave out what changes between tries, such as the current time.',
	},
	{
		displayName:
			'Several items in one input are approved together, by one decision. For a decision each, put this node into a Loop Over Items.',
		name: 'itemsNotice',
		type: 'notice',
		default: '',
		displayOptions: notInReview,
	},
	{
		displayName: 'Channels',
		name: 'channels',
		type: 'multiOptions',
		default: [],
		description:
			"Where people are asked. Every open gate is also on the journal's inbox page, with no channel too.",
		options: [
			{ name: 'Email', value: 'email', description: 'A link to the decision page' },
			{ name: 'Slack', value: 'slack', description: 'Buttons in the message' },
			{ name: 'Telegram', value: 'telegram', description: 'Buttons in the chat' },
		],
	},
	...approverProperties,
	...deadlineProperties,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			...editingOptions,
			{
				displayName: 'Gate Name',
				name: 'gateName',
				type: 'string',
				default: '',
				description:
					'Names the gate within the run. Empty: this node. Give one when the node may be replaced while runs are waiting.',
			},
			{
				displayName: 'Language',
				name: 'language',
				type: 'options',
				default: 'browser',
				description: 'In which language people are asked. Title and message are shown as written.',
				options: [
					{
						name: "As the Reader's Browser Says",
						value: 'browser',
						description: 'English in messages',
					},
					{ name: 'English', value: 'en' },
					{ name: 'Spanish', value: 'es' },
				],
			},
			{
				displayName: 'Offer Ask for Changes',
				name: 'offerChanges',
				type: 'boolean',
				default: false,
				description:
					'Whether people may ask for changes instead of approving or rejecting. The gate is then not approved, decision is "changes", and comment says which.',
			},
			...peopleOptions,
			...reminderOptions,
			{
				displayName: 'Send Mail To',
				name: 'mailTo',
				type: 'string',
				default: '',
				placeholder: 'name@email.com',
				description:
					'One address for the channel Email. Empty: each approver at their own. With named approvers a link sent to another address only shows.',
			},
			...stepOptions.filter(({ name }) => name === 'sharedRunId'),
			{
				displayName: 'Slack Channel',
				name: 'slackChannel',
				type: 'string',
				default: '',
				placeholder: 'e.g. C012AB3CD',
				description:
					"The channel that is asked. Empty: each approver in person, or the journal's own default channel.",
			},
			{
				displayName: 'Telegram Chat ID',
				name: 'telegramChatId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 123456789',
				description:
					"The chat or group that is asked. Empty: each approver in person, or the journal's own default chat.",
			},
			{
				displayName: 'Telegram Topic ID',
				name: 'telegramTopicId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 42',
				description: 'The topic of the group, where it has topics',
			},
			...outputOptions,
		],
	},
];
