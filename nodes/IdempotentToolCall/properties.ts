import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { onInDoubtOptions, runIdProperty, stepOptions } from '../shared/run-properties';
import { guardOptions } from './guard-properties';
import { keyOptions } from './key-properties';
import { lookItUp, lookUpAuthentication, lookUpOptions } from './look-up-properties';
import { operationProperty } from './operation-property';
import { connectedToolProperties } from './operations/connected-tool-properties';
import { httpRequestOptions } from './operations/http-option-properties';
import { httpRequestProperties } from './operations/http-request-properties';
import { subWorkflowProperties } from './operations/sub-workflow-properties';

const byName = (a: INodeProperties, b: INodeProperties) =>
	a.displayName.localeCompare(b.displayName, 'en');

/** On Doubt with what only this node can do: to look it up. */
const doubtOptions = onInDoubtOptions.map((option) =>
	option.name === 'onInDoubt'
		? {
				...option,
				options: [...(option.options as INodePropertyOptions[]), lookItUp].sort((a, b) =>
					a.name.localeCompare(b.name, 'en'),
				),
			}
		: option,
);

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
		options: [
			...stepOptions,
			...doubtOptions,
			...lookUpOptions,
			...keyOptions,
			...guardOptions,
			...httpRequestOptions,
		].sort(byName),
	},
	lookUpAuthentication,
];
