import type { INodeProperties } from 'n8n-workflow';

const shownFor = (...types: string[]): INodeProperties['displayOptions'] => ({
	show: { type: types },
});

/** What approvers may change before they approve, for the node's `options` collection. */
export const editingOptions: INodeProperties[] = [
	{
		displayName: 'Editable Fields',
		name: 'editable',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: 'Add field',
		default: {},
		description:
			'Members of the details that an approver may change on the decision page before approving. What was changed comes out as edits, and in place of the item members of the same names.',
		options: [
			{
				displayName: 'Field',
				name: 'field',
				values: [
					{
						displayName: 'Choices',
						name: 'choices',
						type: 'string',
						default: '',
						placeholder: 'e.g. low, normal, high',
						displayOptions: shownFor('choice'),
						description: 'Separated by commas',
					},
					{
						displayName: 'Highest',
						name: 'maximum',
						type: 'string',
						default: '',
						placeholder: 'e.g. 500',
						displayOptions: shownFor('number', 'integer'),
						description: 'Nothing above it is taken. Empty: no limit.',
					},
					{
						displayName: 'Label',
						name: 'label',
						type: 'string',
						default: '',
						description: 'What people see above the field. Empty: its name.',
					},
					{
						displayName: 'Lowest',
						name: 'minimum',
						type: 'string',
						default: '',
						placeholder: 'e.g. 0',
						displayOptions: shownFor('number', 'integer'),
						description: 'Nothing below it is taken. Empty: no limit.',
					},
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. amount',
						description: 'The member of the details, at their top level',
					},
					{
						displayName: 'Required',
						name: 'required',
						type: 'boolean',
						default: true,
						description: 'Whether it may not be left empty',
					},
					{
						displayName: 'Type',
						name: 'type',
						type: 'options',
						default: 'text',
						options: [
							{ name: 'Choice', value: 'choice' },
							{ name: 'Date', value: 'date' },
							{ name: 'Email', value: 'email' },
							{ name: 'Number', value: 'number' },
							{ name: 'Text', value: 'text' },
							{ name: 'Whole Number', value: 'integer' },
							{ name: 'Yes or No', value: 'boolean' },
						],
					},
				],
			},
		],
	},
	{
		displayName: 'Editable Fields (JSON Schema)',
		name: 'editableSchema',
		type: 'json',
		default: '',
		placeholder: '{ "properties": { "amount": { "type": "number", "maximum": 500 } } }',
		description: 'The same as a JSON Schema, for rules that the list above does not know',
	},
];
