/** n8n's execution engine itself (n8n-core), without a server or a database. */
import { randomUUID } from 'node:crypto';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import type {
	IBinaryKeyData,
	IConnections,
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeType,
	IRun,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';

/** Passes its items on; every workflow here begins with one, named `Start`. */
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

/** A node whose type is its name in lower case. */
export const coreNode = (name: string, more: Partial<INode> = {}): INode => ({
	id: `id-${name}`,
	name,
	type: name.toLowerCase(),
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
	...more,
});

/** The credential entry of a durable node; `runInN8nCore` says what is in it. */
export const journalCredential = { journalApi: { id: 'c', name: 'Journal' } };

export interface CoreSetting {
	/** Type name → type, without `start`. */
	types: Record<string, INodeType>;
	/** Without `Start`. */
	nodes: INode[];
	connections: IConnections;
	credential: { baseUrl: string; apiKey: string };
	items?: IDataObject[] | undefined;
	/** The files of each item. */
	files?: IBinaryKeyData[] | undefined;
	mode?: WorkflowExecuteMode | undefined;
	executionId?: string | undefined;
	/** Part of the resume URL, and the same over retries. */
	signature?: string | undefined;
}

/** Runs workflow `workflow-1` from its node `Start`. */
export async function runInN8nCore(setting: CoreSetting): Promise<IRun> {
	const types: Record<string, INodeType> = { start, ...setting.types };
	const workflow = new Workflow({
		id: 'workflow-1',
		active: true,
		nodeTypes: {
			getByName: (type: string) => types[type]!,
			getByNameAndVersion: (type: string) => types[type]!,
			getKnownTypes: () => ({}),
		},
		settings: { executionOrder: 'v1', timezone: 'Europe/Madrid' },
		nodes: [coreNode('Start'), ...setting.nodes],
		connections: setting.connections,
	});
	const { mode = 'trigger', executionId = randomUUID() } = setting;
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
	const items = (setting.items ?? [{ orderId: 'A-1' }]).map((json, at) => ({
		json,
		...(setting.files?.[at] && { binary: setting.files[at] }),
	}));
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
	return await execution.processRunExecutionData(workflow);
}
