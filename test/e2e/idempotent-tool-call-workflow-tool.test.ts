/** Idempotent Tool Call with a Call n8n Workflow Tool, in a real n8n; also one that waits. */
import { httpRequest } from '../http-request';
import { countsOf as countsOfOrder, itemsOf, runOnce, useCallScene } from './call-scene';
import {
	called,
	callNode,
	child,
	failureOf,
	inner,
	oneCall,
	stepsOf,
	waitForCall,
} from './idempotent-tool-call-workflow';
import { type WorkflowNode } from './n8n/n8n-client';
import { decide, gateNode, openGate } from './gate-workflow';
import { noOp, to } from './n8n/workflow-parts';

jest.setTimeout(240_000);

const scene = useCallScene();

const workflowTool = (
	workflowId: string,
	description: string,
	parameters: Record<string, unknown> = {},
): WorkflowNode => ({
	name: 'Tool',
	type: '@n8n/n8n-nodes-langchain.toolWorkflow',
	typeVersion: 2.2,
	parameters: {
		description,
		workflowId: { __rl: true, mode: 'id', value: workflowId },
		...parameters,
	},
});

const run = (path: string, call: WorkflowNode, orderId: string, tools: WorkflowNode[] = []) =>
	runOnce(scene, path, call, tools, orderId);

const countsOf = (orderId: string) => countsOfOrder(scene, orderId);

/** What the called workflow must declare for its durable nodes to belong to the run. */
const declared = called({
	workflowInputs: {
		values: [
			{ name: 'orderId', type: 'string' },
			{ name: 'durable', type: 'object' },
		],
	},
});

/** A tool that fills in those inputs. */
function handingDown(childId: string): WorkflowNode {
	const value = { orderId: '={{ $json.orderId }}', durable: '={{ $json.durable }}' };
	return workflowTool(childId, 'Hands the run down', {
		workflowInputs: {
			mappingMode: 'defineBelow',
			value,
			matchingColumns: [],
			schema: Object.keys(value).map((id) => ({
				id,
				displayName: id,
				required: false,
				defaultMatch: false,
				display: true,
				canBeUsedToMatch: true,
				type: id === 'durable' ? 'object' : 'string',
			})),
			attemptToConvertTypes: false,
			convertFieldsToString: false,
		},
	});
}

it('a Call n8n Workflow Tool hands the run down as well', async () => {
	const childId = await scene.n8n.client.createWorkflow(
		child(
			'Child of a tool',
			declared,
			inner(scene.credential, 'Invoice', `${scene.standIns.baseUrl}/invoices`),
		),
	);
	const tool = handingDown(childId);
	const call = callNode(scene.credential, { operation: 'connectedTool' });
	const execution = await run('tool-child', call, 'S-7', [tool]);
	expect(failureOf(execution).message).toBe('');
	expect(itemsOf(execution)[0]).toMatchObject({ durable: { run: 'S-7' } });
	expect(await stepsOf(scene.journal, 'S-7')).toHaveLength(2);
	expect(await countsOf('S-7')).toEqual({ '/invoices': 1 });
});

describe('a connected tool that waits', () => {
	const path = 'tool-waits';
	let workflowId: string;
	let childId: string;

	beforeAll(async () => {
		childId = await scene.n8n.client.createWorkflow(
			child('Child of a tool waits', called(), waitForCall('wait-child-3')),
		);
		const tool = workflowTool(childId, 'Waits');
		const call = callNode(scene.credential, { operation: 'connectedTool' });
		workflowId = await scene.n8n.client.createWorkflow(oneCall(path, call, [tool]));
	});

	/** Starts it; returns when caller and child wait. */
	async function waiting(orderId: string) {
		const before = (await scene.n8n.client.lastExecutions(childId)).length;
		const id = await scene.n8n.client.run(workflowId, path, { orders: [orderId] });
		await scene.n8n.client.waitForStatus(id, 'waiting');
		const children = await scene.n8n.client.lastExecutions(childId);
		expect(children).toHaveLength(before + 1);
		return { id, childExecution: children[0]!.id };
	}

	async function answer(childExecution: string) {
		const { data } = await scene.n8n.client.execution(childExecution);
		const { status } = await httpRequest(
			'POST',
			`${scene.n8n.baseUrl}/webhook-waiting/${childExecution}?signature=${data.resumeToken}`,
			{},
		);
		expect(status).toBe(200);
	}

	it('is recorded when its answer comes', async () => {
		const { id, childExecution } = await waiting('W-1');
		expect((await stepsOf(scene.journal, 'W-1'))[0]!.state).toBe('claimed');
		await answer(childExecution);
		const execution = await scene.n8n.client.waitForStatus(id, ['success', 'error']);
		expect(failureOf(execution).message).toBe('');
		expect(itemsOf(execution)[0].durable).toMatchObject({ run: 'W-1', replayed: false });
		expect((await stepsOf(scene.journal, 'W-1'))[0]!.state).toBe('completed');
	});

	it('is in doubt, not done, when the waiting execution is retried', async () => {
		const { id } = await waiting('W-2');
		const retry = await scene.n8n.client.waitForStatus(await scene.n8n.client.retry(id), [
			'success',
			'error',
		]);
		expect(failureOf(retry).message).toMatch(/is in doubt/);
		expect((await stepsOf(scene.journal, 'W-2'))[0]!.state).toBe('in_doubt');
	});

	it.each([
		['approve', true],
		['reject', false],
	] as const)(
		'for people who %s is recorded with what they decided',
		async (decision, approved) => {
			const gate = gateNode('Gate', scene.credential, {
				runId: '',
				message: `Shall we ${decision}?`,
				options: {},
			});
			const gated = await scene.n8n.client.createWorkflow({
				...child(
					`Child asks to ${decision}`,
					called(),
					gate,
					noOp('Not approved'),
					noOp('Approved'),
				),
				connections: {
					Called: { main: [[to('Gate')]] },
					Gate: { main: [[to('Not approved')], [to('Approved')]] },
				},
			});
			const call = callNode(scene.credential, { operation: 'connectedTool' });
			const asking = `tool-${decision}`;
			const parent = await scene.n8n.client.createWorkflow(
				oneCall(asking, call, [handingDown(gated)]),
			);
			const order = `G-${decision}`;
			const id = await scene.n8n.client.run(parent, asking, { orders: [order] });
			const { gateId } = await openGate(scene.journal, order);
			await scene.n8n.client.waitForStatus(id, 'waiting');
			expect(await decide(scene.journal, gateId, decision)).toBe(200);
			const execution = await scene.n8n.client.waitForStatus(id, ['success', 'error']);
			expect(failureOf(execution).message).toBe('');
			expect(itemsOf(execution)[0]).toMatchObject({ approved, durable: { run: order } });
			expect((await stepsOf(scene.journal, order)).map(({ state }) => state)).toEqual([
				'completed',
			]);
		},
	);
});
