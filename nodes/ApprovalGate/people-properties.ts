import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

const person: INodeProperties[] = [
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		required: true,
		description: 'Under which decisions are kept',
	},
	{
		displayName: 'Email',
		name: 'email',
		type: 'string',
		placeholder: 'name@email.com',
		default: '',
		description: 'Where the channel Email sends the link that decides in this name',
	},
	{
		displayName: 'Inbox Login',
		name: 'inbox',
		type: 'string',
		default: '',
		description: 'The name with which this person logs in to the inbox. Empty: the name above.',
	},
	{
		displayName: 'Slack Member ID',
		name: 'slackId',
		type: 'string',
		default: '',
		placeholder: 'e.g. U012AB3CD',
		description: "In Slack's profile menu, under Copy member ID",
	},
	{
		displayName: 'Telegram ID',
		name: 'telegramId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 123456789',
		description: 'The number of the account, not its @name',
	},
];

const people = (displayName: string): INodePropertyCollection[] => [
	{ displayName, name: 'person', values: person },
];

/** A list of people, each with the accounts by which channels know them. */
export const peopleProperty = (
	name: string,
	displayName: string,
	description: string,
): INodeProperties => ({
	displayName,
	name,
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add person',
	default: {},
	description,
	options: people('Person'),
});

/** Who may decide, and how many of them it takes. */
export const approverProperties: INodeProperties[] = [
	peopleProperty(
		'approvers',
		'Approvers',
		'Who may decide. Empty: whoever is sent the message or holds its link. Each of them is asked in person, unless a channel names a place; others are refused, and that is kept in the audit.',
	),
	{
		displayName: 'Approvals Needed',
		name: 'quorum',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 50 },
		default: 1,
		description: 'How many of the approvers have to approve; more than one needs named approvers',
	},
];

/** Options about people, for the node's `options` collection. */
export const peopleOptions: INodeProperties[] = [
	{
		displayName: 'One Rejection',
		name: 'rejection',
		type: 'options',
		default: 'ends',
		description: 'What the rejection of one of several approvers does',
		options: [
			{ name: 'Ends It', value: 'ends', description: 'The gate is rejected at once' },
			{
				name: 'Counts as One Voice',
				value: 'counts',
				description: 'The gate is rejected once too few are left for the approvals needed',
			},
		],
	},
	{
		displayName: 'Requester',
		name: 'requester',
		type: 'fixedCollection',
		placeholder: 'Add requester',
		default: {},
		description:
			'Whose request it is: this person may not decide it (four eyes), even when among the approvers',
		options: people('Requester'),
	},
];
