import type {
	EngineResponse,
	IExecuteFunctions,
	INodeType,
	INodeTypeDescription,
	NodeOutput,
} from 'n8n-workflow';
import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import { connectedTool } from './operations/connected-tool';
import { httpRequest } from './operations/http-request';
import { subWorkflow } from './operations/sub-workflow';
import { loadSubWorkflowInputs } from './operations/sub-workflow-inputs';
import type { Operation } from './operation-property';
import { properties } from './properties';

/** Evaluated by the editor, so it may refer to nothing outside itself. */
const inputsFor = (parameters: { operation?: string }) => {
	const main = { type: 'main' };
	const tool = { type: 'ai_tool', displayName: 'Tool', required: true, maxConnections: 1 };
	return parameters.operation === 'connectedTool' ? [main, tool] : [main];
};

// A tool variant would lose its own tool input (n8n empties a variant's inputs), so there is none.
// eslint-disable-next-line @n8n/community-nodes/node-usable-as-tool
export class IdempotentToolCall implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Idempotent Tool Call',
		name: 'idempotentToolCall',
		icon: { light: 'file:idempotentToolCall.svg', dark: 'file:idempotentToolCall.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle:
			'={{ { connectedTool: "Connected Tool", httpRequest: $parameter["method"] + " " + $parameter["url"], subWorkflow: "Sub-Workflow" }[$parameter["operation"]] }}',
		description:
			'Calls a tool, a service or a workflow once, over retries, crashes and restarts of n8n',
		defaults: { name: 'Idempotent Tool Call' },
		inputs: `={{ (${inputsFor.toString()})($parameter) }}`,
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'journalApi', required: true },
			{
				name: 'httpCallApi',
				required: true,
				displayOptions: { show: { authenticate: [true] } },
			},
		],
		hints: [
			{
				message:
					'With an empty Run ID a retry by n8n is recognised, but a trigger that fires twice is not: an order number catches both.',
				displayCondition: '={{ !$parameter["runId"] }}',
				whenToDisplay: 'beforeExecution',
				location: 'ndv',
				type: 'info',
			},
		],
		properties,
	};

	methods = { localResourceMapping: { loadSubWorkflowInputs } };

	async execute(this: IExecuteFunctions, response?: EngineResponse): Promise<NodeOutput> {
		const operation = this.getNodeParameter('operation', 0) as Operation;
		switch (operation) {
			case 'connectedTool':
				return await connectedTool(this, response);
			case 'httpRequest':
				return await httpRequest(this);
			case 'subWorkflow':
				return await subWorkflow(this);
			default:
				// An expression or a file edited by hand: without this it would look like a success.
				throw new NodeOperationError(
					this.getNode(),
					`The operation "${String(operation)}" does not exist: choose one on the panel.`,
				);
		}
	}
}
