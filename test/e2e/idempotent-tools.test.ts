/** Idempotent Tools in a real n8n, between its AI Agent and its own tools, with a model that plans. */
import { planPrompt, type Plan } from '../stand-ins/chat-model';
import { effectsOf, runToEnd, toldIn, useAgentScene } from './agent-scene';
import { charge, companySetting, notify } from './company-tools';
import { stepsOf } from './idempotent-tool-call-workflow';
import { agentWorkflow, planned, postTool, type AgentSetting } from './idempotent-tools-workflow';
import { errorOf } from './n8n/n8n-client';

jest.setTimeout(240_000);

const scene = useAgentScene();
const workflows = new Map<string, string>();

/** The tools and rules of most tests here. */
const setting = (more: Partial<AgentSetting> = {}) => companySetting(scene, more);

async function create(path: string, one: AgentSetting): Promise<void> {
	workflows.set(path, await scene.n8n.client.createWorkflow(agentWorkflow(path, one)));
}

/** Runs the plans, each with an item of its own, to the end. */
const run = (path: string, runId: string, ...plans: Plan[]) =>
	runToEnd(scene, workflows.get(path)!, path, planned(runId, ...plans));

const told = (runId: string, from = 0) => toldIn(scene, runId, from);
const effects = (runId: string) => effectsOf(scene, runId);

beforeAll(async () => await create('agent', setting()));

it('lets each call happen once, tells a repeat in words, and says the same in another execution', async () => {
	const plan: Plan = [
		[charge('T-1'), charge('T-1')],
		[charge('T-1', 7), notify('T-1')],
		[notify('T-1'), { tool: 'Company', args: { taxId: 'T-1' } }],
	];
	const first = await run('agent', 'T-1', plan);
	expect(errorOf(first)).toBeUndefined();
	const said = told('T-1');
	expect(said).toHaveLength(6);
	expect(said[1]).toContain('This same call was made before');
	// Neither the first, nor another amount, nor what is meant to happen each time.
	for (const index of [0, 2, 3, 4, 5]) expect(said[index]).not.toContain('same call');
	expect(JSON.parse(said[0]!)[0].invoiceId).toBe(JSON.parse(said[1]!)[0].invoiceId);
	expect(await effects('T-1')).toEqual({
		'/invoices': 2,
		'/mail/ops': 2,
		'/erp/companies/T-1': 1,
	});

	const from = scene.model.calls.length;
	await run('agent', 'T-1', plan);
	// Byte by byte: a model that is journaled recognises its conversation by it.
	expect(told('T-1', from)).toEqual(said);
	expect(await effects('T-1')).toEqual({
		'/invoices': 2,
		'/mail/ops': 2,
		'/erp/companies/T-1': 2,
	});
	const steps = await stepsOf(scene.journal, 'T-1');
	expect(steps.map(({ state, attempt }) => [state, attempt])).toEqual(
		Array.from({ length: 4 }, () => ['completed', 1]),
	);
	expect(steps[0]!.meta).toMatchObject({
		nodeLabel: 'Once: Charge',
		toolCallId: expect.stringMatching(/^call_/),
	});
});

it('shows the model the tools under their own names and schemas', async () => {
	await run('agent', 'T-2', []);
	const { tools } = scene.model.calls.find(({ title }) => title === 'T-2')!;
	const byName = Object.fromEntries(tools.map((tool) => [tool.function.name, tool.function]));
	expect(Object.keys(byName).sort()).toEqual(['Charge', 'Company', 'Notify']);
	expect(byName.Company!.description).toBe('Looks a company up');
	expect(byName.Charge!.parameters).toMatchObject({
		properties: { orderId: { type: 'string' }, amount: { type: 'number' } },
		required: ['orderId', 'amount'],
	});
});

it('checks the arguments before anything happens, and leaves out what the tool does not declare', async () => {
	await run('agent', 'T-3', [[charge('T-3', 'five')], [charge('T-3')]]);
	const [wrong, right] = told('T-3');
	expect(wrong).toMatch(/arguments do not fit .*"Charge.*nothing was done: amount: .*number/);
	expect(JSON.parse(right!)[0]).toMatchObject({ state: 'issued', amount: 5 });
	expect(await effects('T-3')).toEqual({ '/invoices': 1 });
	const { body } = await scene.journal.request('GET', '/v1/runs/T-3');
	const { body: step } = await scene.journal.request('GET', `/v1/steps/${body.steps[0].key}`);
	expect(step.input).toEqual({ tool: 'Charge', arguments: { orderId: 'T-3', amount: 5 } });
});

it('tells of a refusal, and does not ask the receiver twice for it', async () => {
	const refusal = { status: 400, body: { error: { message: 'no such order' } } };
	await scene.receivers.fail({ path: '/invoices', ref: 'T-4', ...refusal });
	await run('agent', 'T-4', [[charge('T-4')], [charge('T-4')]]);
	const [first, second] = told('T-4');
	expect(first).toMatch(/REFUSED: this call did not succeed.*HTTP 400/);
	expect(second).toMatch(/REFUSED/);
	expect(await effects('T-4')).toEqual({});
});

it('does not call a call a repeat where the one before came to nothing', async () => {
	// The first call may not wait for its next attempt, the second may.
	const options = { waitSeconds: '={{ $runIndex === 0 ? 0 : 20 }}' };
	await create('impatient', setting({ options }));
	await scene.receivers.fail({ path: '/invoices', ref: 'T-10', status: 429 });
	await run('impatient', 'T-10', [[charge('T-10')], [charge('T-10')], [charge('T-10')]]);
	const [first, second, third] = told('T-10');
	expect(first).toMatch(/NOT YET/);
	expect(second).toContain('"issued"');
	expect(second).not.toContain('same call');
	expect(third).toContain('This same call was made before');
	expect(await effects('T-10')).toEqual({ '/invoices': 1 });
});

it('tries a busy receiver again by itself', async () => {
	await scene.receivers.fail({
		path: '/invoices',
		ref: 'T-5',
		status: 429,
		headers: { 'retry-after': '1' },
	});
	await run('agent', 'T-5', [[charge('T-5')]]);
	expect(JSON.parse(told('T-5')[0]!)[0]).toMatchObject({ durable: { attempt: 2 } });
	expect(await effects('T-5')).toEqual({ '/invoices': 1 });
});

it('keeps the items of an agent apart, and counts the same call of two items as one', async () => {
	await run('agent', 'T-6', [[charge('T-6')]], [[charge('T-6')], [charge('T-6b')]]);
	expect(await effects('T-6')).toEqual({ '/invoices': 1 });
	expect(await effects('T-6b')).toEqual({ '/invoices': 1 });
});

describe('with other settings', () => {
	it('takes what a tool reads of the agent’s item for a part of the call', async () => {
		const charge = postTool('Charge', `${scene.receivers.baseUrl}/invoices`);
		const jsonBody = '={{ JSON.stringify({ orderId: $json.prompt.split(" ")[1], amount: 5 }) }}';
		await create(
			'item-reads',
			setting({
				tools: [{ ...charge, parameters: { ...charge.parameters, jsonBody } }],
				rules: [],
			}),
		);
		const call = { tool: 'Charge', args: {} };
		const prompts = ['R-1', 'R-2'].map((order) => planPrompt(`T-11 ${order}`, [[call], [call]]));
		for (const _ of [1, 2]) {
			const id = await scene.n8n.client.run(workflows.get('item-reads')!, 'item-reads', {
				run: 'T-11',
				prompts,
			});
			await scene.n8n.client.waitForStatus(id, 'success');
			expect(await effects('R-1')).toEqual({ '/invoices': 1 });
			expect(await effects('R-2')).toEqual({ '/invoices': 1 });
		}
		expect(told('T-11 R-2')[0]).not.toContain('same call');
		expect(told('T-11 R-2')[1]).toContain('This same call was made before');
	});

	it('asks the model for a key argument that it left out', async () => {
		const charge = postTool('Charge', `${scene.receivers.baseUrl}/invoices`);
		const jsonBody =
			'={{ JSON.stringify({ orderId: "T-12", amount: $fromAI("amount", "in euro", "number", 5) }) }}';
		await create(
			'key-missing',
			setting({
				tools: [{ ...charge, parameters: { ...charge.parameters, jsonBody } }],
				rules: [{ tool: 'Charge', keyArguments: 'amount' }],
			}),
		);
		await run('key-missing', 'T-12', [[{ tool: 'Charge', args: {} }]]);
		expect(told('T-12')[0]).toMatch(/nothing was done/);
		expect(await effects('T-12')).toEqual({});
	});

	it('takes only the key arguments for the identity', async () => {
		await create(
			'key-arguments',
			setting({ rules: [{ tool: 'Charge', keyArguments: 'orderId' }] }),
		);
		await run('key-arguments', 'T-7', [[charge('T-7', 5)], [charge('T-7', 6)]]);
		expect(await effects('T-7')).toEqual({ '/invoices': 1 });
		expect(told('T-7')[1]).toContain('This same call was made before');
	});

	it('refuses a call until its gate is approved, whatever the model wants', async () => {
		const gate = { runId: 'T-8', gate: 'charge', input: {}, title: 'Charge?', message: 'T-8' };
		const { body } = await scene.journal.request('POST', '/v1/gates', gate);
		const { gateId } = body;
		await create(
			'gate',
			setting({ rules: [{ tool: 'Charge', needsGate: true, gateId: `=${gateId}` }] }),
		);
		await run('gate', 'T-8', [[charge('T-8')]]);
		expect(told('T-8')[0]).toMatch(/REFUSED: /);
		expect(await effects('T-8')).toEqual({});

		await scene.journal.admin('POST', `/v1/gates/${gateId}/decide`, {
			decision: 'approve',
			by: 'Operator',
		});
		await run('gate', 'T-8', [[charge('T-8')]]);
		expect(await effects('T-8')).toEqual({ '/invoices': 1 });
	});

	it.each<[string, Partial<AgentSetting>, RegExp]>([
		[
			'an agent that calls tools by itself',
			{ version: 2.2 },
			/agent of version 2\.2.*past the journal/,
		],
		[
			'a key argument that the tool does not have',
			{ rules: [{ tool: 'Charge', keyArguments: 'orderID' }] },
			/key argument .*orderID.* use orderId, amount/,
		],
		['a rule without a tool', { rules: [{ tool: 'Chargge' }] }, /rule for .*Chargge.* names no/],
	])('refuses %s', async (what, one, sentence) => {
		const path = what.replaceAll(' ', '-');
		await create(path, setting(one));
		const execution = await run(path, path, [[charge(path)]]);
		expect(JSON.stringify(execution.data.resultData.error)).toMatch(sentence);
		expect(await effects(path)).toEqual({});
	});

	it('refuses a tool that decides itself what an error means', async () => {
		const tool = postTool('Charge', `${scene.receivers.baseUrl}/invoices`);
		await create(
			'on-error',
			setting({ tools: [{ ...tool, onError: 'continueRegularOutput' }], rules: [] }),
		);
		const execution = await run('on-error', 'T-9', [[charge('T-9')]]);
		expect(JSON.stringify(execution.data.resultData.error)).toMatch(/has On Error set/);
		expect(await effects('T-9')).toEqual({});
	});
});
