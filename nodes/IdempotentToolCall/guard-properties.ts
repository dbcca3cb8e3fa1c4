import type { INodeProperties } from 'n8n-workflow';

/** At most one call for a business key within a time, also in another run. */
export const guardOptions: INodeProperties[] = [
	{
		displayName: 'Once Per',
		name: 'guardKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.customerId }}',
		description:
			'At most one call of this step for this value within the time of Once Within, whatever run it is in. One that is under way or in doubt elsewhere stops this one, too; one that failed does not count.',
	},
	{
		displayName: 'Once Per: On Repeat',
		name: 'guardOnRepeat',
		type: 'options',
		options: [
			{
				name: 'Refuse',
				value: 'refuse',
				description: 'The item fails, and says which run did it and when',
			},
			{
				name: 'Replay',
				value: 'replay',
				description: 'The item gets the result of the other run',
			},
		],
		default: 'refuse',
		description: 'What to do with a call that was made within the time. Counts with Once Per.',
	},
	{
		displayName: 'Once Within (Hours)',
		name: 'guardHours',
		type: 'number',
		typeOptions: { minValue: 0.01, maxValue: 8760, numberPrecision: 2 },
		default: 24,
		description:
			'How long a call that was made stands in the way of others, and no longer than the journal keeps its run. Counts with Once Per.',
	},
];
