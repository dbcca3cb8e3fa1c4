/** Agents with reviewed tools in a real n8n, and the people who decide about their calls. */
import type { Gate } from '../../service/contract/gates';
import type { Plan } from '../stand-ins/chat-model';
import { waitUntil } from '../wait-until';
import { effectsOf, toldIn, useAgentScene, type AgentScene } from './agent-scene';
import { openGate, readGate } from './gate-workflow';
import { planned } from './idempotent-tools-workflow';
import { errorOf, type Execution } from './n8n/n8n-client';
import { effectTools, reviewedWorkflow, type ReviewedSetting } from './reviewed-agent-workflow';

export interface ReviewScene extends AgentScene {
	/** Creates a workflow with Charge and Notify behind the review, triggered by this path. */
	create(
		path: string,
		more?: Partial<ReviewedSetting>,
		settings?: Record<string, unknown>,
	): Promise<void>;
	/** Starts the plans, each with an item of its own, and returns the execution's id. */
	start(path: string, run: string, ...plans: Plan[]): Promise<string>;
	/** Waits for the end, which must be a good one. */
	finished(executionId: string): Promise<Execution>;
	/** Decides the one open gate of a run, and waits until n8n was told. */
	decideNext(run: string, decision: object): Promise<Gate>;
	gatesOf(run: string): Promise<Gate[]>;
	/** What the tools said to the model in a run, since it was asked `from` times. */
	told(run: string, from?: number): string[];
	/** What the receivers did for an order: path → how often. */
	effects(order: string): Promise<Record<string, number>>;
}

/** Starts all of it before the tests of a file and ends it after them; to be read within tests only. */
export function useReviewScene(): ReviewScene {
	const scene = useAgentScene() as ReviewScene;
	const workflows = new Map<string, string>();
	return Object.assign(scene, {
		async create(path, more = {}, settings = {}) {
			const { credentials, receivers, n8n } = scene;
			const tools = effectTools(receivers.baseUrl);
			const workflow = reviewedWorkflow(path, { credentials, tools, ...more });
			workflows.set(path, await n8n.client.createWorkflow({ ...workflow, settings }));
		},
		start: (path, run, ...plans) =>
			scene.n8n.client.run(workflows.get(path)!, path, planned(run, ...plans)),
		async finished(executionId) {
			const ends = ['success', 'error', 'crashed'] as const;
			const execution = await scene.n8n.client.waitForStatus(executionId, [...ends]);
			expect([execution.status, errorOf(execution)]).toEqual(['success', undefined]);
			return execution;
		},
		async decideNext(run, decision) {
			const { gateId } = await openGate(scene.journal, run);
			const body = { by: 'Operator', ...decision };
			const answer = await scene.journal.admin('POST', `/v1/gates/${gateId}/decide`, body);
			expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
			await waitUntil('n8n to be told', async () => {
				return (await readGate(scene.journal, gateId)).wake?.state === 'done';
			});
			return answer.body as Gate;
		},
		gatesOf: async (run) =>
			(await scene.journal.request('GET', `/v1/runs/${run}`)).body.gates ?? [],
		told: (run, from) => toldIn(scene, run, from),
		effects: (order) => effectsOf(scene, order),
	} satisfies Partial<ReviewScene>);
}
