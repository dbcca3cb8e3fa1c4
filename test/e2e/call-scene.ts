/** A real n8n, a real journal and the stand-ins, for tests of Idempotent Tool Call. */
import { startJournal, type Journal } from '../journal-process';
import { startStandIns, type StandIns } from '../stand-ins-process';
import { oneCall, type Credential } from './idempotent-tool-call-workflow';
import { outputsOf, type Execution, type WorkflowNode } from './n8n/n8n-client';
import { startN8n, type N8n } from './n8n/start-n8n';

export interface CallScene {
	n8n: N8n;
	journal: Journal;
	standIns: StandIns;
	/** For the journal. */
	credential: Credential;
}

/** Starts all of it before the tests of a file and ends it after them; to be read within tests only. */
export function useCallScene(): CallScene {
	const scene = {} as CallScene;
	beforeAll(async () => {
		[scene.n8n, scene.journal, scene.standIns] = await Promise.all([
			startN8n(),
			startJournal(),
			startStandIns(),
		]);
		const { baseUrl, apiKey } = scene.journal;
		scene.credential = await scene.n8n.client.createCredential('journalApi', { baseUrl, apiKey });
	});
	afterAll(async () => {
		await scene.n8n?.stop();
		await Promise.all([scene.journal?.stop(), scene.standIns?.stop()]);
	});
	return scene;
}

/** Runs a workflow of `oneCall` for these orders, to its end. */
export async function runOrders(
	{ n8n }: Pick<CallScene, 'n8n'>,
	workflowId: string,
	path: string,
	...orders: string[]
): Promise<Execution> {
	const id = await n8n.client.run(workflowId, path, { orders });
	return await n8n.client.waitForStatus(id, ['success', 'error']);
}

/** As `runOrders`, for a workflow that is made for it. */
export async function runOnce(
	scene: Pick<CallScene, 'n8n'>,
	path: string,
	call: WorkflowNode,
	tools: WorkflowNode[],
	...orders: string[]
): Promise<Execution> {
	const workflowId = await scene.n8n.client.createWorkflow(oneCall(path, call, tools));
	return await runOrders(scene, workflowId, path, ...orders);
}

/** What came out at the end. */
export const itemsOf = (execution: Execution) => outputsOf(execution).End![0]![0];

/** What the stand-ins did for an order: path → how often. */
export const countsOf = async ({ standIns }: Pick<CallScene, 'standIns'>, order: string) =>
	(await standIns.counts()).byRef[order];
