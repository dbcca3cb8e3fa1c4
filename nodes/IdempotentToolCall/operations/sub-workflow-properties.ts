import type { INodeProperties } from 'n8n-workflow';
import { only } from '../operation-property';

const withInputs = (inputMode: 'fields' | 'json'): INodeProperties['displayOptions'] => ({
	show: { operation: ['subWorkflow'], inputMode: [inputMode] },
});

export const subWorkflowProperties: INodeProperties[] = [
	{
		displayName:
			'The workflow must be published and must not wait. To let its own durable nodes share this run, its trigger must accept all data, or declare an input named <b>durable</b> of type object.',
		name: 'subWorkflowNotice',
		type: 'notice',
		default: '',
		displayOptions: only('subWorkflow'),
	},
	{
		displayName: 'Workflow',
		name: 'workflowId',
		type: 'workflowSelector',
		required: true,
		default: '',
		displayOptions: only('subWorkflow'),
	},
	{
		displayName: 'Pass Inputs As',
		name: 'inputMode',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Fields',
				value: 'fields',
				description: 'One field for each input that the trigger of the workflow declares',
			},
			{
				name: 'JSON',
				value: 'json',
				description: 'For every workflow, also one that accepts all data',
			},
		],
		default: 'json',
		displayOptions: only('subWorkflow'),
		description: 'How the inputs of the workflow are filled in',
	},
	{
		displayName: 'Inputs',
		name: 'workflowFields',
		type: 'resourceMapper',
		noDataExpression: true,
		required: true,
		default: { mappingMode: 'defineBelow', value: null },
		typeOptions: {
			loadOptionsDependsOn: ['workflowId.value'],
			resourceMapper: {
				localResourceMapperMethod: 'loadSubWorkflowInputs',
				valuesLabel: 'Inputs',
				mode: 'map',
				fieldWords: { singular: 'input', plural: 'inputs' },
				addAllFields: true,
				multiKeyMatch: false,
				supportAutoMap: false,
				showTypeConversionOptions: true,
			},
		},
		displayOptions: withInputs('fields'),
		description: 'What the workflow gets, one field for each of its inputs; part of the identity',
	},
	{
		displayName: 'Inputs',
		name: 'workflowInputs',
		type: 'json',
		default: '={{ $json }}',
		displayOptions: withInputs('json'),
		description: 'The item that the workflow gets, as a JSON object; part of the identity',
	},
];
