import type { INodeProperties } from 'n8n-workflow';
import { runIdProperty, stepOptions } from '../shared/run-properties';

const price = (name: string, kind: string): INodeProperties => ({
	displayName: `USD per 1M ${kind} Tokens`,
	name,
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description: `What your provider charges for ${kind.toLowerCase()} tokens; the cost of each call is computed from it and journaled`,
});

const onInDoubt: INodeProperties = {
	displayName: 'On Doubt',
	name: 'onInDoubt',
	type: 'options',
	options: [
		{
			name: 'Call Again',
			value: 'retry',
			description: 'The answer is at most paid twice, and the second call is shown as attempt 2',
		},
		{
			name: 'Stop',
			value: 'fail',
			description: 'Nothing is called again until a person resolves the step',
		},
	],
	default: 'retry',
	description:
		'What to do when a call was started and nobody knows whether it was answered, for example because n8n was killed',
};

const onInputChange: INodeProperties = {
	displayName: 'On Input Change',
	name: 'onInputChange',
	type: 'options',
	options: [
		{ name: 'Call the Model', value: 'run', description: 'Another prompt is another step' },
		{
			name: 'Stop',
			value: 'stop',
			description: 'Another prompt in the same run is a mistake, such as the current time in it',
		},
	],
	default: 'run',
	description:
		'What to do when this place already ran in this run, but with another prompt or model',
};

const options = [
	price('inputPrice', 'Input'),
	...stepOptions.filter(({ name }) => name !== 'onInputChange'),
	onInDoubt,
	onInputChange,
	price('outputPrice', 'Output'),
].sort((a, b) => (a.displayName < b.displayName ? -1 : 1));

/** Which run, what the model is asked, and the options of a step with those of a model call. */
export const llmProperties: INodeProperties[] = [
	{
		displayName:
			'Once answered, the same prompt in the same run is answered from the journal: nothing is called and nothing is paid.',
		name: 'replayNotice',
		type: 'notice',
		default: '',
	},
	runIdProperty,
	{
		displayName: 'System Prompt',
		name: 'systemPrompt',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		placeholder: 'e.g. You assess the credit risk of companies.',
		description: 'How the model is to behave. Empty: none is sent.',
	},
	{
		displayName: 'Prompt',
		name: 'prompt',
		type: 'string',
		typeOptions: { rows: 5 },
		default: '',
		required: true,
		placeholder: 'e.g. Assess {{ $json.company }}',
		description:
			'What the model is asked. Leave out what changes between tries, such as the current time, or a retry pays again.',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options,
	},
];
