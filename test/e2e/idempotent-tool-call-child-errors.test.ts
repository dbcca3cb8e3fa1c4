/** Sub-Workflow in a real n8n: what a failed call makes of the step that called. */
import { countsOf as countsOfOrder, itemsOf, runOnce, runOrders, useCallScene } from './call-scene';
import {
	called,
	child,
	failureOf,
	inner,
	oneCall,
	resolveStep,
	stepsOf,
	subWorkflow,
} from './idempotent-tool-call-workflow';
import { type WorkflowNode } from './n8n/n8n-client';
import { httpPost } from './n8n/workflow-parts';

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
	it('that failed is in doubt, because its other nodes may have had their effect', async () => {
		const childId = await scene.n8n.client.createWorkflow(
			child(
				'Child fails',
				called(),
				httpPost('Invoice', `${scene.standIns.baseUrl}/invoices`, { orderId: 'S-5' }),
				httpPost('Nowhere', `${scene.standIns.baseUrl}/nowhere`),
			),
		);
		const execution = await run('sub-fails', calling(childId), 'S-5');
		expect(failureOf(execution).message).toMatch(/is in doubt/);
		expect((await stepsOf(scene.journal, 'S-5'))[0]!.state).toBe('in_doubt');
	});

	it.each<[string, () => Promise<string>, RegExp]>([
		['does not exist', async () => 'missing', /was not started \(.+\): choose one that exists/],
		[
			'is not published',
			async () =>
				await scene.n8n.client.createWorkflow(
					child('Draft', called(), step('Invoice', '/invoices')),
					{
						activate: false,
					},
				),
			/was not started \(.+\): .+ publish it/,
		],
		[
			'may not be called from here',
			async () =>
				await scene.n8n.client.createWorkflow({
					...child('Private', called(), step('Invoice', '/invoices')),
					settings: { callerPolicy: 'none' },
				}),
			/did not let the workflow run \(.+\): look at its settings/,
		],
	])('that %s is no doubt, also where it may be repeated', async (what, create, sentence) => {
		const childId = await create();
		for (const onInDoubt of ['fail', 'retry']) {
			const order = `S-${what}-${onInDoubt}`;
			const path = `sub-${what.replaceAll(' ', '-')}-${onInDoubt}`;
			const execution = await run(path, calling(childId, { onInDoubt }), order);
			expect(failureOf(execution).message).toMatch(sentence);
			expect(await stepsOf(scene.journal, order)).toMatchObject([{ state: 'failed', attempt: 1 }]);
			expect(await countsOf(order)).toBeUndefined();
		}
	});

	it('whose only step was refused has failed, and goes on once that is corrected', async () => {
		const childId = await scene.n8n.client.createWorkflow(
			child('Child refused', called(), step('Invoice', '/invoices')),
		);
		await scene.standIns.fail({ path: '/invoices', ref: 'S-9', status: 422 });
		const workflowId = await scene.n8n.client.createWorkflow(oneCall('sub-422', calling(childId)));
		const refused = await runAgain(workflowId, 'sub-422', 'S-9');
		expect(failureOf(refused).message).toMatch(
			/^Step "Call" failed .+a step of the called workflow stopped, and nothing else in it ran: Step "Invoice" failed/,
		);
		const steps = await stepsOf(scene.journal, 'S-9');
		expect(steps.map(({ state }) => state)).toEqual(['failed', 'failed']);
		const corrected = await runAgain(workflowId, 'sub-422', 'S-9');
		expect(itemsOf(corrected)[0].durable).toMatchObject({ run: 'S-9', attempt: 2 });
		expect(await countsOf('S-9')).toEqual({ '/invoices': 1 });
	});

	it('whose only step is in doubt names that one, and resolving it is enough', async () => {
		const childId = await scene.n8n.client.createWorkflow(
			child('Child in doubt', called(), step('Invoice', '/invoices')),
		);
		await scene.standIns.fail({ path: '/invoices', ref: 'S-10', status: 500, when: 'after' });
		const workflowId = await scene.n8n.client.createWorkflow(oneCall('sub-500', calling(childId)));
		const stopped = await runAgain(workflowId, 'sub-500', 'S-10');
		const within = (await stepsOf(scene.journal, 'S-10')).find(({ slot }) => slot?.includes('>'))!;
		expect(within.state).toBe('in_doubt');
		expect(failureOf(stopped).message).toMatch(
			/nothing else in it ran: Step "Invoice" is in doubt/,
		);
		expect(failureOf(stopped).message).toContain(`resolve step ${within.key}`);
		await resolveStep(scene.journal, within.key, 'completed', { invoiceId: 'INV-seen' });
		const settled = await runAgain(workflowId, 'sub-500', 'S-10');
		expect(itemsOf(settled)[0]).toMatchObject({ invoiceId: 'INV-seen', durable: { attempt: 2 } });
		expect(await countsOf('S-10')).toEqual({ '/invoices': 1 });
	});

	it.each([
		['before', ['Unrecorded', 'Invoice']],
		['after', ['Invoice', 'Unrecorded']],
	])('is in doubt where a node %s its own step is unrecorded', async (when, names) => {
		const order = `S-${when}`;
		const childId = await scene.n8n.client.createWorkflow(
			child(
				`Child unrecorded ${when}`,
				called(),
				...names.map((name) =>
					name === 'Invoice'
						? step('Invoice', '/invoices')
						: httpPost(name, `${scene.standIns.baseUrl}/mail/a`, { orderId: order }),
				),
			),
		);
		const path = names[1] === 'Invoice' ? '/invoices' : '/mail/a';
		await scene.standIns.fail({ path, ref: order, status: 422 });
		const execution = await run(`sub-${when}`, calling(childId), order);
		expect(failureOf(execution).message).toMatch(
			/^Step "Call" is in doubt \(the called workflow failed \(execution \d+\): /,
		);
		const [parent] = await stepsOf(scene.journal, order);
		expect(parent!.state).toBe('in_doubt');
	});
});
