import type { INodeProperties } from 'n8n-workflow';
import { onInDoubtOptions, runIdProperty, stepOptions } from '../shared/run-properties';

const rule: INodeProperties[] = [
	{
		displayName: 'Tool',
		name: 'tool',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Charge Card',
		description: 'Name of the tool node, or of one tool of an MCP Client',
	},
	{
		displayName: 'Calls',
		name: 'calls',
		type: 'options',
		options: [
			{
				name: 'Once',
				value: 'once',
				description: 'The same call again gets the recorded result',
			},
			{
				name: 'Read Only',
				value: 'readOnly',
				description: 'Passed through: every call asks the tool, and nothing is recorded',
			},
			{
				name: 'Repeatable',
				value: 'repeatable',
				description:
					'The same call again is meant and happens again; a retry repeats none. Give the agent one item at a time: with several, n8n asks finished ones again.',
			},
		],
		default: 'once',
		description: 'What it means when the agent makes the same call again',
	},
	{
		displayName: 'Key Arguments',
		name: 'keyArguments',
		type: 'string',
		default: '',
		placeholder: 'e.g. orderId, amount',
		displayOptions: { hide: { calls: ['readOnly'] } },
		description:
			"Only these identify the call. Leave out texts that a model words differently each time, such as a reason. Empty: all arguments, and what the tool reads of the agent's item.",
	},
	{
		displayName: 'On Doubt',
		name: 'onInDoubt',
		type: 'options',
		options: [
			{ name: 'As in the Options Below', value: 'default' },
			{ name: 'Ask People', value: 'ask' },
			{ name: 'Stop', value: 'fail' },
			{ name: 'Try Again', value: 'retry' },
		],
		default: 'default',
		displayOptions: { hide: { calls: ['readOnly'] } },
		description: 'What to do with a call that was started and nobody knows whether it happened',
	},
	{
		displayName: 'Needs an Approved Gate',
		name: 'needsGate',
		type: 'boolean',
		default: false,
		displayOptions: { hide: { calls: ['readOnly'] } },
		description: 'Whether the journal refuses the call until people have approved a gate',
	},
	{
		displayName: 'Gate ID',
		name: 'gateId',
		type: 'string',
		default: '',
		placeholder: "e.g. {{ $('Approval Gate').first().json.gateId }}",
		displayOptions: { show: { needsGate: [true] }, hide: { calls: ['readOnly'] } },
		description: 'The gate of this run, as an Approval Gate node gives it out',
	},
];

const forAgents = stepOptions.filter(({ name }) => name !== 'onInputChange' && name !== 'gateId');

export const properties: INodeProperties[] = [
	{
		displayName:
			'Connect tools below and the agent above. The model sees the tools as they are; each call is recorded in the journal and happens once. Leave <b>On Error</b> and <b>Retry On Fail</b> of the tools unset.',
		name: 'notice',
		type: 'notice',
		default: '',
	},
	{
		...runIdProperty,
		placeholder: "e.g. {{ $('Webhook').first().json.body.orderId }}",
		description: `${String(runIdProperty.description)} Take it from a node by name: in $json stands also what the model wrote.`,
	},
	{
		displayName: 'Tool Rules',
		name: 'rules',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Rule',
		default: {},
		description: 'What differs for some tools; without a rule every call happens once',
		options: [{ displayName: 'Rule', name: 'rule', values: rule }],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [...forAgents, ...onInDoubtOptions].sort((a, b) =>
			a.displayName.localeCompare(b.displayName, 'en'),
		),
	},
];
