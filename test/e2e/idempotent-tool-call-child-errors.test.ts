/** Sub-Workflow in a real n8n: what a failed call makes of the step that called. */
import { startJournal, type Journal } from '../journal-process';
import { startStandIns, type StandIns } from '../stand-ins-process';
import {
	called,
	child,
	failureOf,
	inner,
	oneCall,
	resolveStep,
	stepsOf,
	subWorkflow,
	type Credential,
} from './idempotent-tool-call-workflow';
import { outputsOf, type Execution, type WorkflowNode } from './n8n/n8n-client';
import { startN8n, type N8n } from './n8n/start-n8n';
import { httpPost } from './n8n/workflow-parts';

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

const step = (name: string, path: string, options: Record<string, unknown> = {}) =>
	inner(credential, name, standIns.baseUrl + path, options);
const calling = (workflowId: string, options: Record<string, unknown> = {}) =>
	subWorkflow(credential, workflowId, options);

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
	it('that failed is in doubt, because its other nodes may have had their effect', async () => {
		const childId = await n8n.client.createWorkflow(
			child(
				'Child fails',
				called(),
				httpPost('Invoice', `${standIns.baseUrl}/invoices`, { orderId: 'S-5' }),
				httpPost('Nowhere', `${standIns.baseUrl}/nowhere`),
			),
		);
		const execution = await run('sub-fails', calling(childId), 'S-5');
		expect(failureOf(execution).message).toMatch(/is in doubt/);
		expect((await stepsOf(journal, 'S-5'))[0]!.state).toBe('in_doubt');
	});

	it.each<[string, () => Promise<string>, RegExp]>([
		['does not exist', async () => 'missing', /was not started \(.+\): choose one that exists/],
		[
			'is not published',
			async () =>
				await n8n.client.createWorkflow(child('Draft', called(), step('Invoice', '/invoices')), {
					activate: false,
				}),
			/was not started \(.+\): .+ publish it/,
		],
		[
			'may not be called from here',
			async () =>
				await n8n.client.createWorkflow({
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
			expect(await stepsOf(journal, order)).toMatchObject([{ state: 'failed', attempt: 1 }]);
			expect(await countsOf(order)).toBeUndefined();
		}
	});

	it('whose only step was refused has failed, and goes on once that is corrected', async () => {
		const childId = await n8n.client.createWorkflow(
			child('Child refused', called(), step('Invoice', '/invoices')),
		);
		await standIns.fail({ path: '/invoices', ref: 'S-9', status: 422 });
		const workflowId = await n8n.client.createWorkflow(oneCall('sub-422', calling(childId)));
		const refused = await runAgain(workflowId, 'sub-422', 'S-9');
		expect(failureOf(refused).message).toMatch(
			/^Step "Call" failed .+a step of the called workflow stopped, and nothing else in it ran: Step "Invoice" failed/,
		);
		const steps = await stepsOf(journal, 'S-9');
		expect(steps.map(({ state }) => state)).toEqual(['failed', 'failed']);
		const corrected = await runAgain(workflowId, 'sub-422', 'S-9');
		expect(itemsOf(corrected)[0].durable).toMatchObject({ run: 'S-9', attempt: 2 });
		expect(await countsOf('S-9')).toEqual({ '/invoices': 1 });
	});

	it('whose only step is in doubt names that one, and resolving it is enough', async () => {
		const childId = await n8n.client.createWorkflow(
			child('Child in doubt', called(), step('Invoice', '/invoices')),
		);
		await standIns.fail({ path: '/invoices', ref: 'S-10', status: 500, when: 'after' });
		const workflowId = await n8n.client.createWorkflow(oneCall('sub-500', calling(childId)));
		const stopped = await runAgain(workflowId, 'sub-500', 'S-10');
		const within = (await stepsOf(journal, 'S-10')).find(({ slot }) => slot?.includes('>'))!;
		expect(within.state).toBe('in_doubt');
		expect(failureOf(stopped).message).toMatch(
			/nothing else in it ran: Step "Invoice" is in doubt/,
		);
		expect(failureOf(stopped).message).toContain(`resolve step ${within.key}`);
		await resolveStep(journal, within.key, 'completed', { invoiceId: 'INV-seen' });
		const settled = await runAgain(workflowId, 'sub-500', 'S-10');
		expect(itemsOf(settled)[0]).toMatchObject({ invoiceId: 'INV-seen', durable: { attempt: 2 } });
		expect(await countsOf('S-10')).toEqual({ '/invoices': 1 });
	});

	it.each([
		['before', ['Unrecorded', 'Invoice']],
		['after', ['Invoice', 'Unrecorded']],
	])('is in doubt where a node %s its own step is unrecorded', async (when, names) => {
		const order = `S-${when}`;
		const childId = await n8n.client.createWorkflow(
			child(
				`Child unrecorded ${when}`,
				called(),
				...names.map((name) =>
					name === 'Invoice'
						? step('Invoice', '/invoices')
						: httpPost(name, `${standIns.baseUrl}/mail/a`, { orderId: order }),
				),
			),
		);
		const path = names[1] === 'Invoice' ? '/invoices' : '/mail/a';
		await standIns.fail({ path, ref: order, status: 422 });
		const execution = await run(`sub-${when}`, calling(childId), order);
		expect(failureOf(execution).message).toMatch(
			/^Step "Call" is in doubt \(the called workflow failed \(execution \d+\): /,
		);
		const [parent] = await stepsOf(journal, order);
		expect(parent!.state).toBe('in_doubt');
	});
});
