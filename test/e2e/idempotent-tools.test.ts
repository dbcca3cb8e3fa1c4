/** Idempotent Tools in a real n8n, between its AI Agent and its own tools, with a model that plans. */
import { startJournal, type Journal } from '../journal-process';
import { startChatModel, type ChatModel, type Plan } from '../stand-ins/chat-model';
import { startStandIns, type StandIns } from '../stand-ins-process';
import { stepsOf } from './idempotent-tool-call-workflow';
import {
	agentWorkflow,
	getTool,
	planned,
	postTool,
	type AgentCredentials,
	type AgentSetting,
} from './idempotent-tools-workflow';
import { errorOf, type Execution } from './n8n/n8n-client';
import { startN8n, type N8n } from './n8n/start-n8n';

jest.setTimeout(240_000);

let n8n: N8n;
let journal: Journal;
let receivers: StandIns;
let model: ChatModel;
let credentials: AgentCredentials;
const workflows = new Map<string, string>();

const setting = (more: Partial<AgentSetting> = {}): AgentSetting => ({
	credentials,
	tools: [
		postTool('Charge', `${receivers.baseUrl}/invoices`),
		postTool('Notify', `${receivers.baseUrl}/mail/ops`),
		getTool('Company', `${receivers.baseUrl}/erp/companies`),
	],
	rules: [
		{ tool: 'Notify', calls: 'repeatable' },
		{ tool: 'Company', calls: 'readOnly' },
	],
	...more,
});

async function create(path: string, one: AgentSetting): Promise<void> {
	workflows.set(path, await n8n.client.createWorkflow(agentWorkflow(path, one)));
}

/** Runs the plans, each with an item of its own, to the end. */
async function run(path: string, runId: string, ...plans: Plan[]): Promise<Execution> {
	const id = await n8n.client.run(workflows.get(path)!, path, planned(runId, ...plans));
	return await n8n.client.waitForStatus(id, ['success', 'error']);
}

/** What the tools said in the longest conversation of this run, since the model was asked `from` times. */
const told = (runId: string, from = 0): string[] =>
	model.calls
		.slice(from)
		.filter(({ title }) => title === runId)
		.map(({ toolMessages }) => toolMessages)
		.reduce((longest, each) => (each.length > longest.length ? each : longest), []);

const effects = async (runId: string) => (await receivers.counts()).byRef[runId] ?? {};

const charge = (orderId: string, amount: unknown = 5) => ({
	tool: 'Charge',
	args: { orderId, amount },
});
const notify = (orderId: string) => ({ tool: 'Notify', args: { orderId, amount: 1 } });

beforeAll(async () => {
	[n8n, journal, receivers, model] = await Promise.all([
		startN8n(),
		startJournal(),
		startStandIns(),
		startChatModel(),
	]);
	const { baseUrl, apiKey } = journal;
	credentials = {
		journalApi: await n8n.client.createCredential('journalApi', { baseUrl, apiKey }),
		openAiApi: await n8n.client.createCredential('openAiApi', {
			apiKey: 'none',
			url: `${model.baseUrl}/v1`,
		}),
	};
	await create('agent', setting());
});
afterAll(async () => {
	await n8n?.stop();
	await receivers?.stop();
	await model?.stop();
	await journal?.stop();
});

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
	expect(said[1]).toContain('You made this same call before');
	expect(said[0]).not.toContain('same call');
	expect(JSON.parse(said[0]!)[0].invoiceId).toBe(JSON.parse(said[1]!)[0].invoiceId);
	expect(await effects('T-1')).toEqual({
		'/invoices': 2,
		'/mail/ops': 2,
		'/erp/companies/T-1': 1,
	});

	const from = model.calls.length;
	await run('agent', 'T-1', plan);
	// Byte by byte: a model that is journaled recognises its conversation by it.
	expect(told('T-1', from)).toEqual(said);
	expect(await effects('T-1')).toEqual({
		'/invoices': 2,
		'/mail/ops': 2,
		'/erp/companies/T-1': 2,
	});
	const steps = await stepsOf(journal, 'T-1');
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
	const { tools } = model.calls.find(({ title }) => title === 'T-2')!;
	const byName = Object.fromEntries(tools.map((tool) => [tool.function.name, tool.function]));
	expect(Object.keys(byName).sort()).toEqual(['Charge', 'Company', 'Notify']);
	expect(byName.Company!.description).toBe('Looks a company up');
	expect(byName.Charge!.parameters).toMatchObject({
		properties: { orderId: { type: 'string' }, amount: { type: 'number' } },
		required: ['orderId', 'amount'],
	});
});
