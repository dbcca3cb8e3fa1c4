/** An Idempotent Tool Call in n8n's execution engine, with a tool that does what the test says. */
import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeType,
	IRun,
} from 'n8n-workflow';
import { IdempotentToolCall } from '../../nodes/IdempotentToolCall/IdempotentToolCall.node';
import { coreNode, journalCredential, runInN8nCore, type CoreSetting } from './n8n-core';

/** A tool that does what the test says, with the item that n8n gave it. */
export type ToolAction = (item: IDataObject) => Promise<INodeExecutionData[]>;

function toolType(action: ToolAction): INodeType {
	return {
		description: {
			displayName: 'tool',
			name: 'tool',
			group: ['transform'],
			version: 1,
			description: 'tool',
			defaults: { name: 'tool' },
			inputs: [],
			outputs: ['ai_tool'],
			properties: [],
		},
		async execute(this: IExecuteFunctions) {
			return [await action(this.getInputData()[0]!.json)];
		},
	} as INodeType;
}

export interface CoreRun extends Pick<
	CoreSetting,
	'credential' | 'items' | 'files' | 'mode' | 'executionId'
> {
	/** The node's parameters, without `options`, which get a short lease. */
	parameters: Record<string, unknown>;
	options?: Record<string, unknown>;
	settings?: Partial<INode>;
	tool?: ToolAction;
}

export interface CoreResult {
	items: IDataObject[];
	error?: { message: string; description?: string };
	run: IRun;
}

/** Start → Call, with a tool under it; returns what Call sent out. */
export async function runInCore(one: CoreRun): Promise<CoreResult> {
	const { parameters, options, settings, tool, ...setting } = one;
	const call = coreNode('Call', {
		parameters: {
			...parameters,
			options: { leaseSeconds: 2, waitSeconds: 10, ...options },
		} as INode['parameters'],
		credentials: journalCredential,
		...settings,
	});
	const run = await runInN8nCore({
		...setting,
		types: {
			call: new IdempotentToolCall(),
			tool: toolType(tool ?? (async (json) => [{ json }])),
		},
		nodes: [call, ...(parameters.operation === 'connectedTool' ? [coreNode('Tool')] : [])],
		connections: {
			Start: { main: [[{ node: 'Call', type: 'main', index: 0 }]] },
			Tool: { ai_tool: [[{ node: 'Call', type: 'ai_tool', index: 0 }]] },
		},
	});
	const { runData, error } = run.data.resultData;
	const output = runData.Call?.at(-1)?.data?.main?.[0] ?? [];
	return {
		items: output.map((item) => item.json),
		error: error as CoreResult['error'],
		run,
	};
}
