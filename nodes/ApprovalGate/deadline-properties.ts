import type { INodeProperties } from 'n8n-workflow';

const shownFor = (...types: string[]): INodeProperties['displayOptions'] => ({
	show: { deadlineType: types },
});

/** The fields of the panel that say until when people may decide, and what happens then. */
export const deadlineProperties: INodeProperties[] = [
	{
		displayName: 'Deadline',
		name: 'deadlineType',
		type: 'options',
		default: 'none',
		description: 'Until when people may decide. The journal keeps it, also while n8n is stopped.',
		options: [
			{ name: 'None', value: 'none', description: 'Wait for a decision, however long it takes' },
			{ name: 'After a Duration', value: 'after', description: 'Counted from the first asking' },
			{
				name: 'At a Clock Time',
				value: 'clock',
				description: 'The next time it is that time in the time zone',
			},
			{ name: 'At a Date and Time', value: 'instant' },
		],
	},
	{
		displayName: 'Amount',
		name: 'deadlineAmount',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 3,
		displayOptions: shownFor('after'),
		description: 'How long people have, in the unit below',
	},
	{
		displayName: 'Unit',
		name: 'deadlineUnit',
		type: 'options',
		default: 'hours',
		displayOptions: shownFor('after'),
		options: [
			{ name: 'Days', value: 'days', description: 'Of 24 hours each' },
			{ name: 'Hours', value: 'hours' },
			{ name: 'Minutes', value: 'minutes' },
			{ name: 'Seconds', value: 'seconds' },
		],
	},
	{
		displayName: 'Time',
		name: 'deadlineTime',
		type: 'string',
		default: '11:00',
		placeholder: 'e.g. 11:00',
		displayOptions: shownFor('clock'),
		description: 'Hours and minutes, 24-hour clock',
	},
	{
		displayName: 'Date and Time',
		name: 'deadlineDateTime',
		type: 'dateTime',
		default: '',
		displayOptions: shownFor('instant'),
		description: 'With an offset or Z it is exact; without one it is meant in the time zone below',
	},
	{
		displayName: 'Time Zone',
		name: 'deadlineTimeZone',
		type: 'string',
		default: '',
		placeholder: 'e.g. Europe/Madrid',
		displayOptions: shownFor('clock', 'instant'),
		description: "IANA name of the time zone. Empty: the workflow's own.",
	},
	{
		displayName: 'When the Deadline Passes',
		name: 'onDeadline',
		type: 'options',
		default: 'reject',
		displayOptions: shownFor('after', 'clock', 'instant'),
		description: 'What the journal decides when nobody has',
		options: [
			{
				name: 'Approve',
				value: 'approve',
				description: 'Only if the message was delivered or the gate has no channel; else not',
			},
			{ name: 'Keep Waiting', value: 'wait', description: 'The deadline only shows on the page' },
			{ name: 'Reject', value: 'reject' },
			{
				name: 'Reject and Cancel the Run',
				value: 'abort',
				description: 'Every later step of this run is refused',
			},
		],
	},
];
