/** Runs workflows in n8n's execution engine itself (n8n-core), without a server or a database. */
import { randomUUID } from 'node:crypto';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeType,
	IRun,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import { IdempotentToolCall } from '../../nodes/IdempotentToolCall/IdempotentToolCall.node';

/** A tool that does what the test says, with the item that n8n gave it. */
export type ToolAction = (item: IDataObject) => Promise<INodeExecutionData[]>;

const plain = (name: string, more: object = {}) => ({
	displayName: name,
	name,
	group: ['transform' as const],
	version: 1,
	description: name,
	defaults: { name },
	inputs: ['main' as const],
	outputs: ['main' as const],
	properties: [],
	...more,
});

function toolType(action: ToolAction): INodeType {
	return {
		description: plain('tool', { inputs: [], outputs: ['ai_tool'] }),
		async execute(this: IExecuteFunctions) {
			return [await action(this.getInputData()[0]!.json)];
		},
	} as INodeType;
}

const start: INodeType = {
	description: plain('start', { group: ['trigger'], inputs: [] }),
	async trigger() {
		return {};
	},
} as INodeType;

export interface CoreRun {
	/** The node's parameters, without `options`, which get a short lease. */
	parameters: Record<string, unknown>;
	options?: Record<string, unknown>;
	settings?: Partial<INode>;
	items?: IDataObject[];
	credential: { baseUrl: string; apiKey: string };
	tool?: ToolAction;
	mode?: WorkflowExecuteMode;
	executionId?: string;
}

export interface CoreResult {
	items: IDataObject[];
	error?: { message: string; description?: string };
	run: IRun;
}

/** Start → Call, with a tool under it; returns what Call sent out. */
export async function runInCore(setting: CoreRun): Promise<CoreResult> {
	const types: Record<string, INodeType> = {
		start,
		call: new IdempotentToolCall(),
		tool: toolType(setting.tool ?? (async (json) => [{ json }])),
	};
	const nodeTypes = {
		getByName: (type: string) => types[type]!,
		getByNameAndVersion: (type: string) => types[type]!,
		getKnownTypes: () => ({}),
	};
	const node = (name: string, type: string, more: Partial<INode> = {}): INode => ({
		id: `id-${name}`,
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		...more,
	});
	const workflow = new Workflow({
		id: 'workflow-1',
		active: true,
		nodeTypes,
		settings: { executionOrder: 'v1' },
		nodes: [
			node('Start', 'start'),
			node('Call', 'call', {
				parameters: {
					...setting.parameters,
					options: { leaseSeconds: 2, waitSeconds: 10, ...setting.options },
				} as INode['parameters'],
				credentials: { journalApi: { id: 'c', name: 'Journal' } },
				...setting.settings,
			}),
			...(setting.parameters.operation === 'connectedTool' ? [node('Tool', 'tool')] : []),
		],
		connections: {
			Start: { main: [[{ node: 'Call', type: 'main', index: 0 }]] },
			Tool: { ai_tool: [[{ node: 'Call', type: 'ai_tool', index: 0 }]] },
		},
	});
	const mode = setting.mode ?? 'trigger';
	const executionId = setting.executionId ?? randomUUID();
	const additionalData = {
		executionId,
		credentialsHelper: {
			getDecrypted: async () => setting.credential,
			getCredentialsProperties: () => [],
			getParentTypes: () => [],
			isCredentialUsableByNode: () => true,
		},
		hooks: new ExecutionLifecycleHooks(mode, executionId, workflow as never),
		currentNodeParameters: undefined,
		executionTimeoutTimestamp: undefined,
		webhookWaitingBaseUrl: 'http://127.0.0.1:5678/webhook-waiting',
		variables: {},
	} as unknown as IWorkflowExecuteAdditionalData;
	const items = (setting.items ?? [{ orderId: 'A-1' }]).map((json) => ({ json }));
	const execution = new WorkflowExecute(additionalData, mode, {
		startData: {},
		resultData: { runData: {} },
		executionData: {
			contextData: {},
			metadata: {},
			waitingExecution: {},
			waitingExecutionSource: {},
			nodeExecutionStack: [
				{ node: workflow.getNode('Start')!, data: { main: [items] }, source: null },
			],
		},
	} as never);
	const run = await execution.processRunExecutionData(workflow);
	const { runData, error } = run.data.resultData;
	const output = runData.Call?.at(-1)?.data?.main?.[0] ?? [];
	return {
		items: output.map((item) => item.json),
		error: error as CoreResult['error'],
		run,
	};
}
