import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { peopleProperty } from './people-properties';

const shownFor = (...types: string[]): INodeProperties['displayOptions'] => ({
	show: { deadlineType: types },
});

const escalating: INodeProperties['displayOptions'] = {
	show: { deadlineType: ['after', 'clock', 'instant'], onDeadline: ['escalate'] },
};

const UNITS: INodePropertyOptions[] = [
	{ name: 'Days', value: 'days', description: 'Of 24 hours each' },
	{ name: 'Hours', value: 'hours' },
	{ name: 'Minutes', value: 'minutes' },
	{ name: 'Seconds', value: 'seconds' },
];

/** What the journal decides by itself. */
const POLICIES: INodePropertyOptions[] = [
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
];

const FIRST_POLICIES: INodePropertyOptions[] = [
	{ name: 'Ask Others', value: 'escalate', description: 'Those named below decide then' },
	...POLICIES,
];

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
		options: UNITS,
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
		options: FIRST_POLICIES,
	},
	{
		...peopleProperty(
			'escalateTo',
			'Escalate To',
			'Who is asked, and decides alone, once the deadline has passed without a decision',
		),
		displayOptions: escalating,
	},
	{
		displayName: 'Escalation Amount',
		name: 'escalateAmount',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 3,
		displayOptions: escalating,
		description: 'How long they have, counted from when they are asked',
	},
	{
		displayName: 'Escalation Unit',
		name: 'escalateUnit',
		type: 'options',
		default: 'hours',
		displayOptions: escalating,
		options: UNITS,
	},
	{
		displayName: 'When That Passes Too',
		name: 'escalateThen',
		type: 'options',
		default: 'reject',
		displayOptions: escalating,
		description: 'What the journal decides when nobody of them has either',
		options: POLICIES,
	},
];
