import type { INodeProperties } from 'n8n-workflow';

const shownFor = (...kinds: string[]): INodeProperties['displayOptions'] => ({
	show: { when: kinds },
});

/** When people are reminded of an open gate, for the node's `options` collection. */
export const reminderOptions: INodeProperties[] = [
	{
		displayName: 'Reminders',
		name: 'reminders',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add reminder',
		default: {},
		description: 'Sent to those who were asked and have not decided, as long as the gate is open',
		options: [
			{
				displayName: 'Reminder',
				name: 'reminder',
				values: [
					{
						displayName: 'When',
						name: 'when',
						type: 'options',
						default: 'before',
						options: [
							{ name: 'Again and Again', value: 'every', description: 'Needs no deadline' },
							{ name: 'At a Share of the Time', value: 'share' },
							{ name: 'Before the Deadline', value: 'before' },
						],
					},
					{
						displayName: 'Percent',
						name: 'percent',
						type: 'number',
						typeOptions: { minValue: 1, maxValue: 99 },
						default: 50,
						displayOptions: shownFor('share'),
						description: 'Of the time between asking and the deadline',
					},
					{
						displayName: 'Amount',
						name: 'amount',
						type: 'number',
						typeOptions: { minValue: 0 },
						default: 1,
						displayOptions: shownFor('before', 'every'),
						description: 'How long before the deadline, or between two reminders',
					},
					{
						displayName: 'Unit',
						name: 'unit',
						type: 'options',
						default: 'hours',
						displayOptions: shownFor('before', 'every'),
						options: [
							{ name: 'Days', value: 'days' },
							{ name: 'Hours', value: 'hours' },
							{ name: 'Minutes', value: 'minutes' },
							{ name: 'Seconds', value: 'seconds' },
						],
					},
				],
			},
		],
	},
];
