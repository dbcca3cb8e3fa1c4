import type { INodeProperties } from 'n8n-workflow';
import { onInDoubtOptions, runIdProperty, stepOptions } from '../shared/run-properties';
import { keyOptions } from './key-properties';
import { operationProperty } from './operation-property';
import { connectedToolProperties } from './operations/connected-tool-properties';
import { httpRequestOptions, httpRequestProperties } from './operations/http-request-properties';
import { subWorkflowProperties } from './operations/sub-workflow-properties';

const byName = (a: INodeProperties, b: INodeProperties) =>
	a.displayName.localeCompare(b.displayName, 'en');

export const properties: INodeProperties[] = [
	operationProperty,
	runIdProperty,
	...connectedToolProperties,
	...httpRequestProperties,
	...subWorkflowProperties,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [...stepOptions, ...onInDoubtOptions, ...keyOptions, ...httpRequestOptions].sort(
			byName,
		),
	},
];
