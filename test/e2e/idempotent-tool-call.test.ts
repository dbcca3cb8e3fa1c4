/** Idempotent Tool Call in a real n8n, with a real journal: what it does when nothing is killed. */
import { itemsOf, runOnce, useCallScene } from './call-scene';
import { callNode, failureOf, httpTool, oneCall, stepsOf } from './idempotent-tool-call-workflow';
import { outputsOf, type WorkflowNode } from './n8n/n8n-client';
import { to } from './n8n/workflow-parts';

jest.setTimeout(180_000);

const scene = useCallScene();

const run = (path: string, call: WorkflowNode, tools: WorkflowNode[], orders: string[]) =>
	runOnce(scene, path, call, tools, ...orders);

describe('a connected tool', () => {
	it('runs once for each item, with its own arguments, and the same item shares one effect', async () => {
		const execution = await run(
			'tool',
			callNode(scene.credential, { operation: 'connectedTool' }),
			[httpTool(`${scene.standIns.baseUrl}/idempotent/invoices`)],
			['T-1', 'T-2', 'T-1'],
		);
		const items = itemsOf(execution);
		expect(items).toEqual([
			expect.objectContaining({ state: 'issued', amount: 5 }),
			expect.objectContaining({ state: 'issued', amount: 5 }),
			expect.objectContaining({ state: 'issued', amount: 5 }),
		]);
		expect(items[2].invoiceId).toBe(items[0].invoiceId);
		expect(items[1].invoiceId).not.toBe(items[0].invoiceId);
		expect(items.map((item: any) => item.durable)).toEqual([
			expect.objectContaining({ run: 'T-1', attempt: 1, replayed: false }),
			expect.objectContaining({ run: 'T-2', attempt: 1, replayed: false }),
			expect.objectContaining({ run: 'T-1', replayed: true, sameAs: 0 }),
		]);
		const { byRef } = await scene.standIns.counts();
		expect(byRef['T-1']).toEqual({ '/idempotent/invoices': 1 });
		expect(byRef['T-2']).toEqual({ '/idempotent/invoices': 1 });
	});

	it('is tried again after a rate limit, and stops at a refusal in one sentence', async () => {
		await scene.standIns.fail({ path: '/invoices', ref: 'T-3', status: 429 });
		await scene.standIns.fail({ path: '/invoices', ref: 'T-4', status: 422 });
		const call = callNode(scene.credential, { operation: 'connectedTool' });
		const tools = [httpTool(`${scene.standIns.baseUrl}/invoices`)];
		const again = await run('tool-429', call, tools, ['T-3']);
		expect(itemsOf(again)[0].durable).toMatchObject({ attempt: 2, replayed: false });
		const refused = await run('tool-422', call, tools, ['T-4']);
		expect(failureOf(refused).message).toMatch(/Step ".+" failed and trying again/);
		expect((await stepsOf(scene.journal, 'T-4'))[0]).toMatchObject({
			state: 'failed',
			error: { status: 422 },
		});
	});

	it('is in doubt after an answer that says nothing about the effect', async () => {
		await scene.standIns.fail({ path: '/invoices', ref: 'T-5', status: 'reset', when: 'after' });
		const execution = await run(
			'tool-reset',
			callNode(scene.credential, { operation: 'connectedTool' }),
			[httpTool(`${scene.standIns.baseUrl}/invoices`)],
			['T-5'],
		);
		const [step] = await stepsOf(scene.journal, 'T-5');
		expect(step!.state).toBe('in_doubt');
		expect(failureOf(execution).message).toMatch(/is in doubt/);
		expect(failureOf(execution).description).toContain(`/v1/steps/${step!.key}/resolve`);
		expect((await scene.standIns.counts()).byRef['T-5']).toEqual({ '/invoices': 1 });
	});

	it('reports failed items at the error output, and the others go on', async () => {
		await scene.standIns.fail({ path: '/invoices', ref: 'T-6', status: 422 });
		const execution = await run(
			'tool-continue',
			{
				...callNode(scene.credential, { operation: 'connectedTool' }),
				onError: 'continueErrorOutput',
			},
			[httpTool(`${scene.standIns.baseUrl}/invoices`)],
			['T-6', 'T-7'],
		);
		const [good, bad] = outputsOf(execution).Call![0]!;
		expect(good).toEqual([expect.objectContaining({ state: 'issued' })]);
		expect(bad).toEqual([expect.objectContaining({ orderId: 'T-6', error: expect.any(String) })]);
	});

	it('does nothing twice under Retry On Fail', async () => {
		await scene.standIns.fail({ path: '/invoices', ref: 'T-9', status: 500, when: 'after' });
		const execution = await run(
			'tool-retry-on-fail',
			{
				...callNode(scene.credential, { operation: 'connectedTool' }),
				retryOnFail: true,
				maxTries: 3,
				waitBetweenTries: 0,
			},
			[httpTool(`${scene.standIns.baseUrl}/invoices`)],
			['T-8', 'T-9'],
		);
		expect(failureOf(execution).message).toMatch(/is in doubt/);
		const { byRef } = await scene.standIns.counts();
		expect(byRef['T-8']).toEqual({ '/invoices': 1 });
		expect(byRef['T-9']).toEqual({ '/invoices': 1 });
	});
});

describe('what cannot work is refused before anything is claimed', () => {
	const tool = (settings: Record<string, unknown> = {}, parameters: Record<string, unknown> = {}) =>
		httpTool(`${scene.standIns.baseUrl}/invoices`, parameters, settings);

	it.each<[string, () => WorkflowNode[], RegExp, string[]?]>([
		['no tool', () => [], /exactly one enabled tool/],
		['two tools', () => [tool(), { ...tool(), name: 'Other' }], /exactly one enabled tool/],
		['a disabled tool', () => [tool({ disabled: true })], /exactly one enabled tool/],
		['On Error of the tool', () => [tool({ onError: 'continueRegularOutput' })], /On Error/],
		['Retry On Fail of the tool', () => [tool({ retryOnFail: true })], /Retry On Fail/],
		['On Error of the tool, stop', () => [tool({ onError: 'stopWorkflow' })], /On Error/],
		[
			'the old HTTP Request Tool',
			() => [
				{
					...tool(),
					type: '@n8n/n8n-nodes-langchain.toolHttpRequest',
					typeVersion: 1.1,
					parameters: { toolDescription: 'Posts', url: scene.standIns.baseUrl },
				},
			],
			/use the current HTTP Request Tool/,
		],
		[
			'an old Call n8n Workflow Tool',
			() => [
				{
					...tool(),
					type: '@n8n/n8n-nodes-langchain.toolWorkflow',
					typeVersion: 1.3,
					parameters: {
						name: 'other',
						description: 'Calls',
						workflowId: { __rl: true, mode: 'id', value: 'other' },
					},
				},
			],
			/replace it by a new one/,
		],
		[
			'Never Error without the status',
			() => [tool({}, { options: { response: { response: { neverError: true } } } })],
			/Never Error/,
		],
		[
			'the item index with several items',
			() => [tool({}, { jsonBody: '={{ JSON.stringify($("Orders").all()[$itemIndex].json) }}' })],
			/\$itemIndex/,
			['R-5', 'R-6'],
		],
		[
			'paired items in brackets with several items',
			() => [tool({}, { jsonBody: '={{ JSON.stringify($("Orders")["item"].json) }}' })],
			/\.item/,
			['R-3', 'R-4'],
		],
		[
			'paired items with several items',
			() => [tool({}, { jsonBody: '={{ JSON.stringify($("Orders").item.json) }}' })],
			/\.item/,
			['R-1', 'R-2'],
		],
	])('%s', async (what, tools, sentence, orders = [`R-${what}`]) => {
		const path = `refuse-${what.replaceAll(' ', '-')}`;
		const execution = await run(
			path,
			callNode(scene.credential, { operation: 'connectedTool' }),
			tools(),
			orders,
		);
		expect(failureOf(execution).message).toMatch(sentence);
		expect(await stepsOf(scene.journal, orders[0]!)).toEqual([]);
		expect((await scene.standIns.counts()).byRef[orders[0]!]).toBeUndefined();
	});

	it('paired items in a loop, though each round has one item', async () => {
		const paired = tool({}, { jsonBody: '={{ JSON.stringify($("Orders").item.json) }}' });
		const loop = {
			name: 'Loop',
			type: 'n8n-nodes-base.splitInBatches',
			typeVersion: 3,
			parameters: { options: {} },
		};
		const workflow = oneCall(
			'refuse-loop',
			callNode(scene.credential, { operation: 'connectedTool' }),
			[paired],
		);
		workflow.nodes.push(loop);
		Object.assign(workflow.connections, {
			Orders: { main: [[to('Loop')]] },
			Loop: { main: [[to('End')], [to('Call')]] },
			Call: { main: [[to('Loop')]] },
		});
		const workflowId = await scene.n8n.client.createWorkflow(workflow);
		const id = await scene.n8n.client.run(workflowId, 'refuse-loop', { orders: ['R-loop'] });
		const execution = await scene.n8n.client.waitForStatus(id, 'error');
		expect(failureOf(execution).message).toMatch(/\.item/);
		expect(await stepsOf(scene.journal, 'R-loop')).toEqual([]);
	});

	it('execution order v0', async () => {
		const workflowId = await scene.n8n.client.createWorkflow(
			oneCall('refuse-v0', callNode(scene.credential, { operation: 'connectedTool' }), [tool()], {
				executionOrder: 'v0',
			}),
		);
		const id = await scene.n8n.client.run(workflowId, 'refuse-v0', { orders: ['R-v0'] });
		const execution = await scene.n8n.client.waitForStatus(id, 'error');
		expect(failureOf(execution).message).toMatch(/Execution Order/);
		expect((await scene.standIns.counts()).byRef['R-v0']).toBeUndefined();
	});
});

describe('an HTTP request', () => {
	it('carries the key, and replays for a trigger that fires twice', async () => {
		const call = callNode(scene.credential, {
			operation: 'httpRequest',
			method: 'POST',
			url: `${scene.standIns.baseUrl}/idempotent/invoices`,
			sendBody: true,
			body: '={{ $json }}',
		});
		const workflowId = await scene.n8n.client.createWorkflow(oneCall('http', call));
		const outputs = [];
		for (const _ of [1, 2]) {
			const id = await scene.n8n.client.run(workflowId, 'http', { orders: ['H-1'] });
			outputs.push(itemsOf(await scene.n8n.client.waitForStatus(id, 'success'))[0]);
		}
		expect(outputs[0]).toMatchObject({
			statusCode: 201,
			body: { state: 'issued' },
			durable: { run: 'H-1', replayed: false },
		});
		expect(outputs[1]).toMatchObject({
			statusCode: 201,
			body: outputs[0].body,
			durable: { run: 'H-1', replayed: true },
		});
		const { byRef, replayedByReceiver } = await scene.standIns.counts();
		expect(byRef['H-1']).toEqual({ '/idempotent/invoices': 1 });
		expect(replayedByReceiver).toBe(0);
	});

	it('is no failure for n8n when a success has a member "error"', async () => {
		await scene.standIns.fail({
			path: '/invoices',
			ref: 'H-2',
			status: 200,
			body: { error: 'none', id: 7 },
		});
		const call = {
			...callNode(scene.credential, {
				operation: 'httpRequest',
				method: 'POST',
				url: `${scene.standIns.baseUrl}/invoices`,
				sendBody: true,
				body: '={{ $json }}',
			}),
			retryOnFail: true,
			waitBetweenTries: 0,
		};
		const execution = await run('http-error-member', call, [], ['H-2']);
		expect(itemsOf(execution)[0]).toMatchObject({
			body: { error: 'none', id: 7 },
			durable: { attempt: 1, replayed: false },
		});
	});
});
