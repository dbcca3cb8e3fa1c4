import type { INodeProperties } from 'n8n-workflow';

/** The field that names the run; the first thing on the panel of every durable node. */
export const runIdProperty: INodeProperties = {
	displayName: 'Run ID',
	name: 'runId',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.orderId }}',
	description:
		'Names the piece of business work, best by an order number. Empty: an automatic ID that stays the same when n8n retries this execution, but does not catch a trigger that fires twice.',
};

/** Options that every step has, for the node's `options` collection. */
export const stepOptions: INodeProperties[] = [
	{
		displayName: 'Approved Gate ID',
		name: 'gateId',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.gateId }}',
		description:
			'The journal refuses this step until people have approved that gate of the same run, whatever way the items took. An Approval Gate node gives it out as gateId.',
	},
	{
		displayName: 'Lease (Seconds)',
		name: 'leaseSeconds',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 2_592_000 },
		default: 60,
		description:
			'How long one try may hold the step. When n8n dies meanwhile, the step is free again after that time.',
	},
	{
		displayName: 'Max Attempts',
		name: 'maxAttempts',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 1000 },
		default: 5,
		description:
			'How often a step is tried when it fails in a way that trying again can help, such as a rate limit',
	},
	{
		displayName: 'On Input Change',
		name: 'onInputChange',
		type: 'options',
		options: [
			{
				name: 'Run Again',
				value: 'run',
				description: 'Another input is another step and runs',
			},
			{
				name: 'Stop',
				value: 'stop',
				description: 'Another input in the same run is a mistake, such as a time in the body',
			},
		],
		default: 'stop',
		description:
			'What to do when this place already ran in this run, but with another input. A step that is not settled always stops.',
	},
	{
		displayName: 'Share Run ID Across Workflows',
		name: 'sharedRunId',
		type: 'boolean',
		default: false,
		description:
			'Whether the Run ID means the same run in every workflow. Otherwise each workflow has its own.',
	},
	{
		displayName: 'Step Name',
		name: 'stepName',
		type: 'string',
		default: '',
		description:
			'Names the step within the run. Empty: this node. Give one when the node may be replaced, or when two nodes are the same step.',
	},
	{
		displayName: 'Wait at Most (Seconds)',
		name: 'waitSeconds',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 86_400 },
		default: 300,
		description:
			'How long the node waits for another execution that holds the step, or for the next attempt, before it stops with an error',
	},
];

/** What to do with a step of unknown outcome. */
export const onInDoubtOptions: INodeProperties[] = [
	{
		displayName: 'On Doubt',
		name: 'onInDoubt',
		type: 'options',
		options: [
			{
				name: 'Ask People',
				value: 'ask',
				description:
					'The inbox of the journal asks "Did this happen?"; the node waits for the answer as long as Wait at Most says',
			},
			{
				name: 'Stop',
				value: 'fail',
				description: 'Nothing is sent again until a person resolves the step',
			},
			{
				name: 'Try Again',
				value: 'retry',
				description: 'Only for receivers that recognise the idempotency key and ignore a repeat',
			},
		],
		default: 'fail',
		description:
			'What to do when a step was started and nobody knows whether its effect happened, for example because n8n was killed',
	},
	{
		displayName: 'Receiver Remembers for (Hours)',
		name: 'receiverWindowHours',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 8760 },
		default: 24,
		displayOptions: { show: { onInDoubt: ['retry'] } },
		description: 'How long the receiver recognises the key; after that a doubt stops',
	},
];
