import type { INodeProperties } from 'n8n-workflow';

/** A list of names and values; see `readPairs`. */
export const pairList = (
	displayName: string,
	name: string,
	item: string,
	description: string,
	displayOptions: INodeProperties['displayOptions'],
): INodeProperties => ({
	displayName,
	name,
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: `Add ${item}`,
	default: {},
	displayOptions,
	description,
	options: [
		{
			displayName: item,
			name: 'parameters',
			values: [
				{ displayName: 'Name', name: 'name', type: 'string', default: '' },
				{ displayName: 'Value', name: 'value', type: 'string', default: '' },
			],
		},
	],
});
