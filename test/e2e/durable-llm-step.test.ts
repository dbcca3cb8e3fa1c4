/** The Durable LLM Step in a real n8n, with n8n's own OpenAI model node and a model that counts. */
import { startJournal, type Journal } from '../journal-process';
import { startStandIns, type StandIns } from '../stand-ins-process';
import { errorOf, outputsOf, type Execution, type WorkflowDefinition } from './n8n/n8n-client';
import { startN8n, type N8n } from './n8n/start-n8n';
import { to, webhook } from './n8n/workflow-parts';

jest.setTimeout(180_000);

const PATH = '/v1/chat/completions';

let n8n: N8n;
let journal: Journal;
let model: StandIns;
let workflowId: string;

beforeAll(async () => {
	journal = await startJournal();
	model = await startStandIns();
	n8n = await startN8n();
	const { baseUrl, apiKey } = journal;
	const url = `${model.baseUrl}/v1`;
	workflowId = await n8n.client.createWorkflow(
		oneStep(
			await n8n.client.createCredential('journalApi', { baseUrl, apiKey }),
			await n8n.client.createCredential('openAiApi', { apiKey: 'none', url }),
		),
	);
});
afterAll(async () => {
	await n8n?.stop();
	await model?.stop();
	await journal?.stop();
});
beforeEach(() => model.reset());

type Credential = { id: string; name: string };

/** Webhook → one item for each of the body's `questions` → Ask, with a model under it. */
function oneStep(journalApi: Credential, openAiApi: Credential): WorkflowDefinition {
	return {
		name: 'One model step',
		nodes: [
			webhook('ask'),
			{
				name: 'Split',
				type: 'n8n-nodes-base.splitOut',
				typeVersion: 1,
				parameters: { fieldToSplitOut: 'body.questions', options: {} },
			},
			{
				name: 'Ask',
				type: 'n8n-nodes-durable.durableLlmStep',
				typeVersion: 1,
				parameters: {
					runId: "={{ $('Webhook').first().json.body.order }}",
					systemPrompt: 'Answer in one sentence.',
					prompt: "=Order {{ $('Webhook').first().json.body.order }}: {{ $json.question }}",
					options: {
						sharedRunId: true,
						inputPrice: 0.15,
						outputPrice: 0.6,
						leaseSeconds: 2,
						waitSeconds: 30,
					},
				},
				credentials: { journalApi },
			},
			{
				name: 'Model',
				type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
				typeVersion: 1.3,
				parameters: {
					model: { __rl: true, mode: 'id', value: 'gpt-4o-mini' },
					responsesApiEnabled: false,
					options: { maxRetries: 0, temperature: 0 },
				},
				credentials: { openAiApi },
			},
		],
		connections: {
			Webhook: { main: [[to('Split')]] },
			Split: { main: [[to('Ask')]] },
			Model: { ai_languageModel: [[to('Ask', 'ai_languageModel')]] },
		},
	};
}

const ask = (order: string, ...questions: string[]) =>
	n8n.client.run(workflowId, 'ask', {
		order,
		questions: questions.map((question) => ({ question })),
	});

/** The items of a finished execution, which must not have failed. */
async function answers(executionId: string): Promise<{ items: any[]; execution: Execution }> {
	const execution = await n8n.client.waitForStatus(executionId, ['success', 'error', 'crashed']);
	expect([execution.status, errorOf(execution)]).toEqual(['success', undefined]);
	// After a crash n8n leaves a made-up run before the real one.
	return { items: outputsOf(execution).Ask!.at(-1)[0], execution };
}

const paidCalls = async () => (await model.counts()).totals.modelCalls;

it('asks once, tells what it cost, and answers the same run from the journal for nothing', async () => {
	const first = await answers(await ask('A-1', 'summarise'));
	expect(first.items).toEqual([
		{
			text: expect.stringContaining('New customer'),
			usage: { inputTokens: 800, outputTokens: 200, totalTokens: 1000 },
			cost: 0.00024,
			model: 'gpt-4o-mini',
			durable: expect.objectContaining({ run: 'A-1', attempt: 1, replayed: false }),
		},
	]);
	expect(first.execution.data.resultData.runData).toHaveProperty('Model');

	const second = await answers(await ask('A-1', 'summarise'));
	const { durable, ...answer } = second.items[0];
	const { durable: before, ...same } = first.items[0];
	expect(answer).toEqual(same);
	expect(durable).toMatchObject({ key: before.key, attempt: 1, replayed: true });
	expect(await paidCalls()).toBe(1);
	// n8n did not even build the model: no credential decrypted, no provider's client loaded.
	expect(second.execution.data.resultData.runData).not.toHaveProperty('Model');

	const { body } = await journal.request('GET', `/v1/steps/${before.key}`);
	expect(body.usage).toEqual({
		model: 'gpt-4o-mini',
		inputTokens: 800,
		outputTokens: 200,
		costUsd: 0.00024,
	});
	expect(JSON.stringify(body.input)).not.toContain('none');
});

it('asks each question once, and another run or question anew', async () => {
	const { items } = await answers(await ask('A-2', 'one', 'two', 'one'));
	expect(items.map(({ durable }) => durable.replayed)).toEqual([false, false, true]);
	expect(items[2].text).toBe(items[0].text);
	expect(items[1].text).not.toBe(items[0].text);
	expect(await paidCalls()).toBe(2);
	await answers(await ask('A-3', 'one'));
	expect(await paidCalls()).toBe(3);
});

it('tries again after a rate limit, as attempt 2', async () => {
	await model.fail({ path: PATH, status: 429, headers: { 'retry-after': '1' } });
	const { items } = await answers(await ask('A-4', 'busy?'));
	expect(items[0].durable).toMatchObject({ attempt: 2, replayed: false });
	expect(await paidCalls()).toBe(1);
});

it('does not try again where that cannot help, and says so in one sentence', async () => {
	const body = {
		error: { message: 'no credit', type: 'insufficient_quota', code: 'insufficient_quota' },
	};
	await model.fail({ path: PATH, status: 429, body, count: 9 });
	const executionId = await ask('A-5', 'credit?');
	const execution = await n8n.client.waitForStatus(executionId, ['success', 'error']);
	expect(errorOf(execution)).toMatch(/^Step ".+" failed and trying again as it is will not help: /);
	const { body: run } = await journal.request('GET', '/v1/runs/A-5');
	expect(run.steps).toMatchObject([{ state: 'failed', attempt: 1 }]);
});

it('stops after a kill -9, where it is told to, when the prompt is another than before', async () => {
	const { baseUrl, apiKey } = journal;
	const url = `${model.baseUrl}/v1`;
	const strict = oneStep(
		await n8n.client.createCredential('journalApi', { baseUrl, apiKey }),
		await n8n.client.createCredential('openAiApi', { apiKey: 'none', url }),
	);
	const node = (name: string) => strict.nodes.find((one) => one.name === name)!;
	node('Webhook').parameters!.path = 'strict';
	// The execution's id stands for all that changes when a retry begins at the trigger, such as a time.
	node('Ask').parameters!.prompt = '=Order A-7, asked in execution {{ $execution.id }}';
	(node('Ask').parameters!.options as Record<string, unknown>).onInputChange = 'stop';
	const id = await n8n.client.createWorkflow(strict);
	await model.hold({ path: PATH, when: 'after', count: 1 });
	const body = { order: 'A-7', questions: [{ question: 'x' }] };
	const executionId = await n8n.client.run(id, 'strict', body);
	await model.waitForHeld(1);
	await n8n.kill('SIGKILL');
	await n8n.restart();
	await model.release();
	await n8n.client.waitForStatus(executionId, 'crashed');
	const retried = await n8n.client.retry(executionId);
	const execution = await n8n.client.waitForStatus(retried, ['success', 'error']);
	expect(errorOf(execution)).toMatch(/ was asked with another input \(\/prompt\) while /);
	expect(await paidCalls()).toBe(1);
});

it('survives a kill -9 within the call: what was answered is not paid again, the open call is attempt 2', async () => {
	await model.hold({ path: PATH, contains: 'second', when: 'after', count: 1 });
	const executionId = await ask('A-6', 'first', 'second', 'third');
	await model.waitForHeld(1);
	await n8n.kill('SIGKILL');
	await n8n.restart();
	await model.release();
	await n8n.client.waitForStatus(executionId, 'crashed');
	const { items } = await answers(await n8n.client.retry(executionId));
	expect(items.map(({ durable }) => [durable.replayed, durable.attempt])).toEqual([
		[true, 1],
		[false, 2],
		[false, 1],
	]);
	// The held answer was made and lost: four calls for three answers.
	expect(await paidCalls()).toBe(4);
});
