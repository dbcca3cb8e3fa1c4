import type { INodeProperties } from 'n8n-workflow';

export type Operation = 'connectedTool' | 'httpRequest' | 'subWorkflow';

/** Shows a property for these operations. */
export const only = (...operations: Operation[]): INodeProperties['displayOptions'] => ({
	show: { operation: operations },
});

export const operationProperty: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Connected Tool',
			value: 'connectedTool',
			action: 'Run the connected tool once',
			description: 'Run any n8n tool node that hangs under this node, with its own credentials',
		},
		{
			name: 'HTTP Request',
			value: 'httpRequest',
			action: 'Send an HTTP request once',
			description: 'Send a request with an Idempotency-Key header',
		},
		{
			name: 'Sub-Workflow',
			value: 'subWorkflow',
			action: 'Call a workflow once',
			description: 'Call a workflow that does not wait, and hand the run down to it',
		},
	],
	default: 'connectedTool',
};
