/** A real n8n, a real journal, the stand-ins and a model that plans, for tests of Idempotent Tools. */
import { startJournal, type Journal } from '../journal-process';
import { startChatModel, type ChatModel } from '../stand-ins/chat-model';
import { startStandIns, type StandIns } from '../stand-ins-process';
import type { AgentCredentials } from './idempotent-tools-workflow';
import type { Execution } from './n8n/n8n-client';
import { startN8n, type N8n } from './n8n/start-n8n';

export interface AgentScene {
	n8n: N8n;
	journal: Journal;
	receivers: StandIns;
	model: ChatModel;
	credentials: AgentCredentials;
}

/** Starts all of it before the tests of a file and ends it after them; to be read within tests only. */
export function useAgentScene(): AgentScene {
	const scene = {} as AgentScene;
	beforeAll(async () => {
		[scene.n8n, scene.journal, scene.receivers, scene.model] = await Promise.all([
			startN8n(),
			startJournal(),
			startStandIns(),
			startChatModel(),
		]);
		const { baseUrl, apiKey } = scene.journal;
		const { client } = scene.n8n;
		const url = `${scene.model.baseUrl}/v1`;
		scene.credentials = {
			journalApi: await client.createCredential('journalApi', { baseUrl, apiKey }),
			openAiApi: await client.createCredential('openAiApi', { apiKey: 'none', url }),
		};
	});
	afterAll(async () => {
		await scene.n8n?.stop();
		await Promise.all([scene.receivers?.stop(), scene.model?.stop(), scene.journal?.stop()]);
	});
	return scene;
}

/** Triggers a workflow and waits for its end. */
export async function runToEnd(
	{ n8n }: Pick<AgentScene, 'n8n'>,
	workflowId: string,
	path: string,
	body: unknown,
): Promise<Execution> {
	const id = await n8n.client.run(workflowId, path, body);
	return await n8n.client.waitForStatus(id, ['success', 'error']);
}

/** What the receivers did for an order: path → how often. */
export const effectsOf = async ({ receivers }: Pick<AgentScene, 'receivers'>, order: string) =>
	(await receivers.counts()).byRef[order] ?? {};

/** What the tools said in the longest conversation of this title, since the model was asked `from` times. */
export const toldIn = ({ model }: Pick<AgentScene, 'model'>, title: string, from = 0): string[] =>
	model.calls
		.slice(from)
		.filter((call) => call.title === title)
		.map(({ toolMessages }) => toolMessages)
		.reduce((longest, each) => (each.length > longest.length ? each : longest), []);
