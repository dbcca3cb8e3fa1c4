/** Idempotent Tool Call with a Call n8n Workflow Tool, in a real n8n; also one that waits. */
import { httpRequest } from '../http-request';
import { startJournal, type Journal } from '../journal-process';
import { startStandIns, type StandIns } from '../stand-ins-process';
import {
	called,
	callNode,
	child,
	failureOf,
	inner,
	oneCall,
	stepsOf,
	waitForCall,
	type Credential,
} from './idempotent-tool-call-workflow';
import { outputsOf, type Execution, type WorkflowNode } from './n8n/n8n-client';
import { decide, gateNode, openGate } from './gate-workflow';
import { startN8n, type N8n } from './n8n/start-n8n';
import { noOp, to } from './n8n/workflow-parts';

jest.setTimeout(240_000);

let n8n: N8n;
let journal: Journal;
let standIns: StandIns;
let credential: Credential;

beforeAll(async () => {
	[n8n, journal, standIns] = await Promise.all([startN8n(), startJournal(), startStandIns()]);
	const { baseUrl, apiKey } = journal;
	credential = await n8n.client.createCredential('journalApi', { baseUrl, apiKey });
});
afterAll(async () => {
	await n8n?.stop();
	await Promise.all([journal?.stop(), standIns?.stop()]);
});

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

async function run(path: string, call: WorkflowNode, orderId: string, tools: WorkflowNode[] = []) {
	const workflowId = await n8n.client.createWorkflow(oneCall(path, call, tools));
	return await runAgain(workflowId, path, orderId);
}

async function runAgain(workflowId: string, path: string, orderId: string): Promise<Execution> {
	const id = await n8n.client.run(workflowId, path, { orders: [orderId] });
	return await n8n.client.waitForStatus(id, ['success', 'error']);
}

const itemsOf = (execution: Execution) => outputsOf(execution).End![0]![0];
const countsOf = async (orderId: string) => (await standIns.counts()).byRef[orderId];

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
	const childId = await n8n.client.createWorkflow(
		child(
			'Child of a tool',
			declared,
			inner(credential, 'Invoice', `${standIns.baseUrl}/invoices`),
		),
	);
	const tool = handingDown(childId);
	const call = callNode(credential, { operation: 'connectedTool' });
	const execution = await run('tool-child', call, 'S-7', [tool]);
	expect(failureOf(execution).message).toBe('');
	expect(itemsOf(execution)[0]).toMatchObject({ durable: { run: 'S-7' } });
	expect(await stepsOf(journal, 'S-7')).toHaveLength(2);
	expect(await countsOf('S-7')).toEqual({ '/invoices': 1 });
});

describe('a connected tool that waits', () => {
	const path = 'tool-waits';
	let workflowId: string;
	let childId: string;

	beforeAll(async () => {
		childId = await n8n.client.createWorkflow(
			child('Child of a tool waits', called(), waitForCall('wait-child-3')),
		);
		const tool = workflowTool(childId, 'Waits');
		const call = callNode(credential, { operation: 'connectedTool' });
		workflowId = await n8n.client.createWorkflow(oneCall(path, call, [tool]));
	});

	/** Starts it; returns when caller and child wait. */
	async function waiting(orderId: string) {
		const before = (await n8n.client.lastExecutions(childId)).length;
		const id = await n8n.client.run(workflowId, path, { orders: [orderId] });
		await n8n.client.waitForStatus(id, 'waiting');
		const children = await n8n.client.lastExecutions(childId);
		expect(children).toHaveLength(before + 1);
		return { id, childExecution: children[0]!.id };
	}

	async function answer(childExecution: string) {
		const { data } = await n8n.client.execution(childExecution);
		const { status } = await httpRequest(
			'POST',
			`${n8n.baseUrl}/webhook-waiting/${childExecution}?signature=${data.resumeToken}`,
			{},
		);
		expect(status).toBe(200);
	}

	it('is recorded when its answer comes', async () => {
		const { id, childExecution } = await waiting('W-1');
		expect((await stepsOf(journal, 'W-1'))[0]!.state).toBe('claimed');
		await answer(childExecution);
		const execution = await n8n.client.waitForStatus(id, ['success', 'error']);
		expect(failureOf(execution).message).toBe('');
		expect(itemsOf(execution)[0].durable).toMatchObject({ run: 'W-1', replayed: false });
		expect((await stepsOf(journal, 'W-1'))[0]!.state).toBe('completed');
	});

	it('is in doubt, not done, when the waiting execution is retried', async () => {
		const { id } = await waiting('W-2');
		const retry = await n8n.client.waitForStatus(await n8n.client.retry(id), ['success', 'error']);
		expect(failureOf(retry).message).toMatch(/is in doubt/);
		expect((await stepsOf(journal, 'W-2'))[0]!.state).toBe('in_doubt');
	});

	it.each([
		['approve', true],
		['reject', false],
	] as const)(
		'for people who %s is recorded with what they decided',
		async (decision, approved) => {
			const gate = gateNode('Gate', credential, {
				runId: '',
				message: `Shall we ${decision}?`,
				options: {},
			});
			const gated = await n8n.client.createWorkflow({
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
			const call = callNode(credential, { operation: 'connectedTool' });
			const asking = `tool-${decision}`;
			const parent = await n8n.client.createWorkflow(oneCall(asking, call, [handingDown(gated)]));
			const order = `G-${decision}`;
			const id = await n8n.client.run(parent, asking, { orders: [order] });
			const { gateId } = await openGate(journal, order);
			await n8n.client.waitForStatus(id, 'waiting');
			expect(await decide(journal, gateId, decision)).toBe(200);
			const execution = await n8n.client.waitForStatus(id, ['success', 'error']);
			expect(failureOf(execution).message).toBe('');
			expect(itemsOf(execution)[0]).toMatchObject({ approved, durable: { run: order } });
			expect((await stepsOf(journal, order)).map(({ state }) => state)).toEqual(['completed']);
		},
	);
});
