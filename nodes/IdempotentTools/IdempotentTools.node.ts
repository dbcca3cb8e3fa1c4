import type {
	EngineResponse,
	IExecuteFunctions,
	INodeType,
	INodeTypeDescription,
	ISupplyDataFunctions,
	NodeOutput,
	SupplyData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { offerTools } from './offer-tools';
import { properties } from './properties';
import { runToolCall } from './run-tool-call';

// It is a tool by itself; a generated variant would lose its own tool input.
// eslint-disable-next-line @n8n/community-nodes/node-usable-as-tool
export class IdempotentTools implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Idempotent Tools',
		name: 'idempotentTools',
		icon: { light: 'file:idempotentTools.svg', dark: 'file:idempotentTools.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: 'each call once',
		description:
			'Between an AI Agent and its tools: each call of the agent happens once, over retries and crashes',
		defaults: { name: 'Idempotent Tools' },
		inputs: [{ type: NodeConnectionTypes.AiTool, displayName: 'Tools', required: true }],
		outputs: [NodeConnectionTypes.AiTool],
		outputNames: ['Tools'],
		credentials: [{ name: 'journalApi', required: true }],
		properties,
	};

	async supplyData(this: ISupplyDataFunctions): Promise<SupplyData> {
		return await offerTools(this);
	}

	async execute(this: IExecuteFunctions, response?: EngineResponse): Promise<NodeOutput> {
		return await runToolCall(this, response);
	}
}
