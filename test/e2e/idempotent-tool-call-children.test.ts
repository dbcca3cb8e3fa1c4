/** Sub-Workflow in a real n8n: what it gets, what is handed down, and what is refused. */
import { countsOf as countsOfOrder, itemsOf, runOnce, runOrders, useCallScene } from './call-scene';
import {
	called,
	child,
	failureOf,
	inner,
	oneCall,
	stepsOf,
	subWorkflow,
	waitForCall,
} from './idempotent-tool-call-workflow';
import { outputsOf, type WorkflowNode } from './n8n/n8n-client';
import { loadInputs } from './n8n/load-inputs';
import { noOp, to, webhook } from './n8n/workflow-parts';

jest.setTimeout(240_000);

const scene = useCallScene();

const step = (name: string, path: string, options: Record<string, unknown> = {}) =>
	inner(scene.credential, name, scene.standIns.baseUrl + path, options);
const calling = (workflowId: string, options: Record<string, unknown> = {}) =>
	subWorkflow(scene.credential, workflowId, options);

const run = (path: string, call: WorkflowNode, orderId: string, tools: WorkflowNode[] = []) =>
	runOnce(scene, path, call, tools, orderId);

const runAgain = (workflowId: string, path: string, orderId: string) =>
	runOrders(scene, workflowId, path, orderId);

const countsOf = (orderId: string) => countsOfOrder(scene, orderId);

describe('a sub-workflow', () => {
	it('runs once, in the run of its parent', async () => {
		const childId = await scene.n8n.client.createWorkflow(
			child('Child of two', called(), step('Invoice', '/invoices'), step('Mail', '/mail/a')),
		);
		const workflowId = await scene.n8n.client.createWorkflow(oneCall('sub', calling(childId)));
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
		const steps = await stepsOf(scene.journal, 'S-1');
		expect(steps.map(({ state }) => state)).toEqual(['completed', 'completed', 'completed']);
		const parent = steps.find(({ step }) => step.startsWith(workflowId));
		const mail = steps.find(({ slot }) => slot?.includes('>'));
		expect(mail!.slot!.startsWith(`${parent!.slot}>${childId}/`)).toBe(true);
	});

	it('repeats nothing that its own durable nodes did before n8n was killed', async () => {
		const childId = await scene.n8n.client.createWorkflow(
			child(
				'Child killed',
				called(),
				step('Invoice', '/invoices'),
				step('Mail', '/idempotent/mail/a', { onInDoubt: 'retry' }),
			),
		);
		await scene.standIns.hold({ path: '/idempotent/mail/a', ref: 'S-2', when: 'before' });
		const workflowId = await scene.n8n.client.createWorkflow(
			oneCall('sub-killed', calling(childId, { onInDoubt: 'retry' })),
		);
		const id = await scene.n8n.client.run(workflowId, 'sub-killed', { orders: ['S-2'] });
		await scene.standIns.waitForHeld(1);
		await scene.n8n.kill('SIGKILL');
		await scene.standIns.release();
		await scene.n8n.restart();
		await scene.n8n.client.waitForStatus(id, 'crashed');
		const retry = await scene.n8n.client.waitForStatus(
			await scene.n8n.client.retry(id),
			['success', 'error'],
			60_000,
		);
		expect(failureOf(retry).message).toBe('');
		expect(itemsOf(retry)[0].durable).toMatchObject({ run: 'S-2', attempt: 2 });
		expect(await countsOf('S-2')).toEqual({ '/invoices': 1, '/idempotent/mail/a': 1 });
	});

	it('that waits is refused with the reason, and the caller does not wait', async () => {
		const childId = await scene.n8n.client.createWorkflow(
			child('Child waits', called(), waitForCall('wait-child-1')),
		);
		const execution = await run('sub-waits', calling(childId), 'S-3');
		expect(execution.status).toBe('error');
		expect(failureOf(execution).message).toMatch(
			/is in doubt \(the called workflow waits \(execution \d+\).*move the waiting node into this workflow/,
		);
	});

	it('that waits is refused at the error output, too, and the caller goes on', async () => {
		const childId = await scene.n8n.client.createWorkflow(
			child('Child waits, too', called(), waitForCall('wait-child-2')),
		);
		const call = { ...calling(childId), onError: 'continueErrorOutput' };
		const execution = await run('sub-waits-on', call, 'S-4');
		expect(execution.status).toBe('success');
		expect(outputsOf(execution).Call![0]![1]).toEqual([
			expect.objectContaining({ error: expect.stringMatching(/is in doubt/) }),
		]);
	});

	it('gets its declared inputs by fields, each of its type, and a wrong type is refused', async () => {
		const childId = await scene.n8n.client.createWorkflow(
			child(
				'Child with inputs',
				called({
					workflowInputs: {
						values: [
							{ name: 'orderId', type: 'string' },
							{ name: 'amount', type: 'number' },
							{ name: 'durable', type: 'object' },
						],
					},
				}),
				step('Invoice', '/invoices'),
				{
					name: 'Seen',
					type: 'n8n-nodes-base.set',
					typeVersion: 3.4,
					parameters: { mode: 'raw', jsonOutput: "={{ $('Called').item.json }}", options: {} },
				},
			),
		);
		const { fields } = await loadInputs(scene.n8n, childId);
		expect(fields.map(({ id, type }) => [id, type])).toEqual([
			['orderId', 'string'],
			['amount', 'number'],
		]);
		const calledWith = (amount: unknown) =>
			subWorkflow(
				scene.credential,
				childId,
				{},
				{
					inputMode: 'fields',
					workflowFields: {
						mappingMode: 'defineBelow',
						value: { orderId: '={{ $json.orderId }}', amount },
						matchingColumns: [],
						schema: fields,
						attemptToConvertTypes: false,
						convertFieldsToString: false,
					},
				},
			);
		const good = await run('sub-fields', calledWith('={{ 7 }}'), 'S-12');
		expect(failureOf(good).message).toBe('');
		expect(itemsOf(good)[0]).toMatchObject({
			orderId: 'S-12',
			amount: 7,
			durable: { run: 'S-12', replayed: false },
		});
		expect(await countsOf('S-12')).toEqual({ '/invoices': 1 });
		const bad = await run('sub-fields-bad', calledWith('={{ "seven" }}'), 'S-13');
		expect(bad.status).toBe('error');
		expect(failureOf(bad).message).toMatch(/amount/);
		expect(await stepsOf(scene.journal, 'S-13')).toEqual([]);
	});

	it('gives files back whole in a replay, also when n8n has pruned the executions', async () => {
		const file: WorkflowNode = {
			name: 'File',
			type: 'n8n-nodes-base.convertToFile',
			typeVersion: 1.1,
			parameters: { operation: 'toText', sourceProperty: 'orderId', options: {} },
		};
		const childId = await scene.n8n.client.createWorkflow(
			child('Child with a file', called(), file),
		);
		const workflow = oneCall('sub-file', calling(childId));
		workflow.nodes = workflow.nodes.map((node) =>
			node.name === 'End'
				? {
						name: 'End',
						type: 'n8n-nodes-base.extractFromFile',
						typeVersion: 1,
						parameters: { operation: 'text', binaryPropertyName: 'data', options: {} },
					}
				: node,
		);
		const workflowId = await scene.n8n.client.createWorkflow(workflow);
		const first = await runAgain(workflowId, 'sub-file', 'S-14');
		expect(itemsOf(first)).toMatchObject([{ data: 'S-14' }]);
		const [within] = await scene.n8n.client.lastExecutions(childId);
		for (const { id } of [first, within!]) {
			expect((await scene.n8n.client.api('DELETE', `/executions/${id}`)).status).toBe(200);
		}
		const replay = await runAgain(workflowId, 'sub-file', 'S-14');
		expect(itemsOf(replay)).toMatchObject([{ data: 'S-14' }]);
		expect(await scene.n8n.client.lastExecutions(childId)).toEqual([]);
	});

	it('that accepts all data has no fields, and the editor says what to choose', async () => {
		const childId = await scene.n8n.client.createWorkflow(
			child('Child of all data', called(), noOp('A')),
		);
		expect(await loadInputs(scene.n8n, childId)).toEqual({
			fields: [],
			emptyFieldsNotice: expect.stringMatching(/accepts all data: set Pass Inputs As to JSON/),
		});
	});

	it('hands the run and the place down two levels deep', async () => {
		const grandchild = await scene.n8n.client.createWorkflow(
			child('Grandchild', called(), step('Invoice', '/invoices')),
		);
		const middle = {
			...subWorkflow(
				scene.credential,
				grandchild,
				{ sharedRunId: false },
				{ runId: '', workflowInputs: '={{ ({ orderId: $json.orderId }) }}' },
			),
			name: 'Middle',
		};
		const childId = await scene.n8n.client.createWorkflow(child('Child between', called(), middle));
		const workflowId = await scene.n8n.client.createWorkflow(oneCall('nested', calling(childId)));
		for (const replayed of [false, true]) {
			const execution = await runAgain(workflowId, 'nested', 'S-11');
			expect(itemsOf(execution)[0].durable).toMatchObject({ run: 'S-11', replayed });
		}
		const slots = (await stepsOf(scene.journal, 'S-11')).map(({ slot }) => slot!);
		slots.sort((a, b) => a.length - b.length);
		expect(slots).toHaveLength(3);
		expect(slots[1]).toMatch(new RegExp(`^${slots[0]}>${childId}/`));
		expect(slots[2]).toMatch(new RegExp(`^${slots[1]}>${grandchild}/`));
		expect(await countsOf('S-11')).toEqual({ '/invoices': 1 });
	});
});

it('a workflow called without a run asks for a Run ID', async () => {
	const childId = await scene.n8n.client.createWorkflow(
		child('Child of nobody', called(), step('Invoice', '/invoices')),
	);
	const workflowId = await scene.n8n.client.createWorkflow({
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
	const id = await scene.n8n.client.run(workflowId, 'plain-call', { orderId: 'S-8' });
	const execution = await scene.n8n.client.waitForStatus(id, 'error');
	expect(failureOf(execution).message).toMatch(/handed down no run: give a Run ID/);
	expect(await countsOf('S-8')).toBeUndefined();
});
