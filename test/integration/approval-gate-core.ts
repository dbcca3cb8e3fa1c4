/** Runs an Approval Gate in n8n's execution engine itself (n8n-core), without a server or a database. */
import { randomUUID } from 'node:crypto';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeType,
	IRun,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import { ApprovalGate } from '../../nodes/ApprovalGate/ApprovalGate.node';

const start = {
	description: {
		displayName: 'Start',
		name: 'start',
		group: ['transform'],
		version: 1,
		description: 'Starts',
		defaults: { name: 'Start' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	},
	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	},
} as INodeType;

export interface GateRun {
	credential: { baseUrl: string; apiKey: string };
	parameters: IDataObject;
	items?: IDataObject[];
	mode?: WorkflowExecuteMode;
	/** Part of the resume URL, and the same over retries. */
	signature?: string;
}

export interface GateResult {
	run: IRun;
	/** Whether the execution waits now. */
	waits: boolean;
	/** What the gate sent out: output → items. */
	outputs: IDataObject[][];
	error?: { message: string; description?: string };
}

/** Start → Gate, in workflow `workflow-1`. */
export async function runGate(setting: GateRun): Promise<GateResult> {
	const types: Record<string, INodeType> = { start, gate: new ApprovalGate() };
	const node = (name: string, more: Partial<INode> = {}): INode => ({
		id: `id-${name}`,
		name,
		type: name.toLowerCase(),
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		...more,
	});
	const workflow = new Workflow({
		id: 'workflow-1',
		active: true,
		nodeTypes: {
			getByName: (type: string) => types[type]!,
			getByNameAndVersion: (type: string) => types[type]!,
			getKnownTypes: () => ({}),
		},
		settings: { executionOrder: 'v1', timezone: 'Europe/Madrid' },
		nodes: [
			node('Start'),
			node('Gate', {
				parameters: {
					title: 'Go on?',
					details: '={{ $json }}',
					...setting.parameters,
				} as INode['parameters'],
				credentials: { journalApi: { id: 'c', name: 'Journal' } },
			}),
		],
		connections: { Start: { main: [[{ node: 'Gate', type: 'main', index: 0 }]] } },
	});
	const mode = setting.mode ?? 'trigger';
	const executionId = randomUUID();
	const additionalData = {
		executionId,
		credentialsHelper: {
			getDecrypted: async () => setting.credential,
			getCredentialsProperties: () => [],
			getParentTypes: () => [],
			isCredentialUsableByNode: () => true,
		},
		hooks: new ExecutionLifecycleHooks(mode, executionId, workflow as never),
		webhookWaitingBaseUrl: 'http://127.0.0.1:9/webhook-waiting',
		formWaitingBaseUrl: 'http://127.0.0.1:9/form-waiting',
		variables: {},
	} as unknown as IWorkflowExecuteAdditionalData;
	const items = (setting.items ?? [{ orderId: 'A-1' }]).map((json) => ({ json }));
	const execution = new WorkflowExecute(additionalData, mode, {
		startData: {},
		resultData: { runData: {} },
		resumeToken: setting.signature ?? randomUUID(),
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
	const outputs = runData.Gate?.at(-1)?.data?.main ?? [];
	return {
		run,
		waits: run.waitTill !== undefined && run.waitTill !== null,
		outputs: outputs.map((output) => (output ?? []).map(({ json }) => json)),
		error: error as GateResult['error'],
	};
}
