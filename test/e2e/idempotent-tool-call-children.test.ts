/** Idempotent Tool Call and called workflows in a real n8n: what is handed down, and what is refused. */
import { httpRequest } from '../http-request';
import { startJournal, type Journal } from '../journal-process';
import { startStandIns, type StandIns } from '../stand-ins-process';
import {
	called,
	callNode,
	child,
	failureOf,
	oneCall,
	stepsOf,
	waitForCall,
	type Credential,
} from './idempotent-tool-call-workflow';
import { outputsOf, type Execution, type WorkflowNode } from './n8n/n8n-client';
import { startN8n, type N8n } from './n8n/start-n8n';
import { httpPost, noOp, to, webhook } from './n8n/workflow-parts';

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

/** A durable step of a child, without a Run ID of its own. */
const inner = (
	name: string,
	path: string,
	options: Record<string, unknown> = {},
): WorkflowNode => ({
	...callNode(
		credential,
		{
			runId: '',
			operation: 'httpRequest',
			method: 'POST',
			url: standIns.baseUrl + path,
			sendBody: true,
			body: "={{ ({ orderId: $('Called').first().json.orderId }) }}",
		},
		{ sharedRunId: false, ...options },
	),
	name,
});

const subWorkflow = (workflowId: string, options: Record<string, unknown> = {}) =>
	callNode(
		credential,
		{ operation: 'subWorkflow', workflowId: { __rl: true, mode: 'id', value: workflowId } },
		options,
	);

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

describe('a sub-workflow', () => {
	it('runs once, in the run of its parent', async () => {
		const childId = await n8n.client.createWorkflow(
			child('Child of two', called(), inner('Invoice', '/invoices'), inner('Mail', '/mail/a')),
		);
		const workflowId = await n8n.client.createWorkflow(oneCall('sub', subWorkflow(childId)));
		const first = await runAgain(workflowId, 'sub', 'S-1');
		const second = await runAgain(workflowId, 'sub', 'S-1');
		expect(itemsOf(first)[0]).toMatchObject({
			statusCode: 202,
			durable: { run: 'S-1', replayed: false },
		});
		expect(itemsOf(second)[0]).toMatchObject({
			body: itemsOf(first)[0].body,
			durable: { run: 'S-1', replayed: true },
		});
		expect(await countsOf('S-1')).toEqual({ '/invoices': 1, '/mail/a': 1 });
		const steps = await stepsOf(journal, 'S-1');
		expect(steps.map(({ state }) => state)).toEqual(['completed', 'completed', 'completed']);
		const parent = steps.find(({ step }) => step.startsWith(workflowId));
		const mail = steps.find(({ slot }) => slot?.includes('>'));
		expect(mail!.slot!.startsWith(`${parent!.slot}>${childId}/`)).toBe(true);
	});

	it('repeats nothing that its own durable nodes did before n8n was killed', async () => {
		const childId = await n8n.client.createWorkflow(
			child(
				'Child killed',
				called(),
				inner('Invoice', '/invoices'),
				inner('Mail', '/idempotent/mail/a', { onInDoubt: 'retry' }),
			),
		);
		await standIns.hold({ path: '/idempotent/mail/a', ref: 'S-2', when: 'before' });
		const workflowId = await n8n.client.createWorkflow(
			oneCall('sub-killed', subWorkflow(childId, { onInDoubt: 'retry' })),
		);
		const id = await n8n.client.run(workflowId, 'sub-killed', { orders: ['S-2'] });
		await standIns.waitForHeld(1);
		await n8n.kill('SIGKILL');
		await standIns.release();
		await n8n.restart();
		await n8n.client.waitForStatus(id, 'crashed');
		const retry = await n8n.client.waitForStatus(
			await n8n.client.retry(id),
			['success', 'error'],
			60_000,
		);
		expect(failureOf(retry).message).toBe('');
		expect(itemsOf(retry)[0].durable).toMatchObject({ run: 'S-2', attempt: 2 });
		expect(await countsOf('S-2')).toEqual({ '/invoices': 1, '/idempotent/mail/a': 1 });
	});

	it('that waits is refused with the reason, and the caller does not wait', async () => {
		const childId = await n8n.client.createWorkflow(
			child('Child waits', called(), waitForCall('wait-child-1')),
		);
		const execution = await run('sub-waits', subWorkflow(childId), 'S-3');
		expect(execution.status).toBe('error');
		expect(failureOf(execution).message).toMatch(
			/is in doubt \(the called workflow waits \(execution \d+\).*move the waiting node into this workflow/,
		);
	});

	it('that waits is refused at the error output, too, and the caller goes on', async () => {
		const childId = await n8n.client.createWorkflow(
			child('Child waits, too', called(), waitForCall('wait-child-2')),
		);
		const call = { ...subWorkflow(childId), onError: 'continueErrorOutput' };
		const execution = await run('sub-waits-on', call, 'S-4');
		expect(execution.status).toBe('success');
		expect(outputsOf(execution).Call![0]![1]).toEqual([
			expect.objectContaining({ error: expect.stringMatching(/is in doubt/) }),
		]);
	});

	it('that failed is in doubt, because its other nodes may have had their effect', async () => {
		const childId = await n8n.client.createWorkflow(
			child(
				'Child fails',
				called(),
				httpPost('Invoice', `${standIns.baseUrl}/invoices`, { orderId: 'S-5' }),
				httpPost('Nowhere', `${standIns.baseUrl}/nowhere`),
			),
		);
		const execution = await run('sub-fails', subWorkflow(childId), 'S-5');
		expect(failureOf(execution).message).toMatch(/is in doubt/);
		expect((await stepsOf(journal, 'S-5'))[0]!.state).toBe('in_doubt');
	});

	it('that does not exist is no doubt', async () => {
		const execution = await run('sub-missing', subWorkflow('missing'), 'S-6');
		expect(failureOf(execution).message).toMatch(/failed and trying again/);
		expect((await stepsOf(journal, 'S-6'))[0]!.state).toBe('failed');
	});
});

it('a Call n8n Workflow Tool hands the run down as well', async () => {
	const childId = await n8n.client.createWorkflow(
		child(
			'Child of a tool',
			called({
				workflowInputs: {
					values: [
						{ name: 'orderId', type: 'string' },
						{ name: 'durable', type: 'object' },
					],
				},
			}),
			inner('Invoice', '/invoices'),
		),
	);
	const value = { orderId: '={{ $json.orderId }}', durable: '={{ $json.durable }}' };
	const tool: WorkflowNode = {
		name: 'Tool',
		type: '@n8n/n8n-nodes-langchain.toolWorkflow',
		typeVersion: 2.2,
		parameters: {
			description: 'Issues an invoice',
			workflowId: { __rl: true, mode: 'id', value: childId },
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
		},
	};
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
		const tool: WorkflowNode = {
			name: 'Tool',
			type: '@n8n/n8n-nodes-langchain.toolWorkflow',
			typeVersion: 2.2,
			parameters: {
				description: 'Waits',
				workflowId: { __rl: true, mode: 'id', value: childId },
			},
		};
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
});

it('a workflow called without a run asks for a Run ID', async () => {
	const childId = await n8n.client.createWorkflow(
		child('Child of nobody', called(), inner('Invoice', '/invoices')),
	);
	const workflowId = await n8n.client.createWorkflow({
		name: 'Plain call',
		nodes: [
			webhook('plain-call'),
			{
				name: 'Execute',
				type: 'n8n-nodes-base.executeWorkflow',
				typeVersion: 1.2,
				parameters: {
					workflowId: { __rl: true, mode: 'id', value: childId },
					options: {},
				},
			},
			noOp('End'),
		],
		connections: { Webhook: { main: [[to('Execute')]] }, Execute: { main: [[to('End')]] } },
	});
	const id = await n8n.client.run(workflowId, 'plain-call', { orderId: 'S-8' });
	const execution = await n8n.client.waitForStatus(id, 'error');
	expect(failureOf(execution).message).toMatch(/handed down no run: give a Run ID/);
	expect(await countsOf('S-8')).toBeUndefined();
});
