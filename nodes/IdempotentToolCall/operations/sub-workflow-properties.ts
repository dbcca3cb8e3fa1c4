import type { INodeProperties } from 'n8n-workflow';
import { only } from '../operation-property';

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
		displayName: 'Inputs',
		name: 'workflowInputs',
		type: 'json',
		default: '={{ $json }}',
		displayOptions: only('subWorkflow'),
		description: 'The item that the workflow gets, as a JSON object; part of the identity',
	},
];
