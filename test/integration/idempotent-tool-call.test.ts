/** Idempotent Tool Call in n8n's engine over a real journal: bad input, and a journal in trouble. */
import type { IDataObject } from 'n8n-workflow';
import { durableOutput } from '../../nodes/shared/durable-output';
import { startJournal, type Journal } from '../journal-process';
import { runInCore, type CoreRun } from './idempotent-tool-call-core';
import { startLosingProxy, type LosingProxy } from './idempotent-tool-call-proxy';

jest.setTimeout(60_000);

const OVER_LIMIT = 17 * 1024 * 1024;

let journal: Journal;
let proxy: LosingProxy;
let orders = 0;
/** A fresh order number for each test. */
let order: string;

beforeAll(async () => {
	journal = await startJournal();
	proxy = await startLosingProxy(journal.baseUrl);
});
afterAll(async () => {
	await proxy?.stop();
	await journal?.stop();
});
beforeEach(() => {
	order = `order-${++orders}`;
	proxy.verbs.length = 0;
	for (const verb of Object.keys(proxy.bodies)) delete proxy.bodies[verb];
});

/** Calls of the tool in this test. */
function counted(result: (item: IDataObject) => IDataObject = () => ({ done: true })) {
	const calls: IDataObject[] = [];
	const tool = async (item: IDataObject) => {
		calls.push(item);
		return [{ json: result(item) }];
	};
	return { calls, tool };
}

const run = (setting: Partial<CoreRun> = {}) =>
	runInCore({
		credential: journal,
		...setting,
		parameters: {
			operation: 'connectedTool',
			runId: order,
			toolArguments: '={{ $json }}',
			...setting.parameters,
		},
	});

/** The steps of this test's run. */
async function steps() {
	const { body } = await journal.request('GET', `/v1/runs/workflow-1%3A${order}`);
	return (body.steps ?? []) as Array<{ key: string; state: string; attempt: number }>;
}

const states = async () => (await steps()).map(({ state }) => state);

describe('what the tool gets', () => {
	it('is the arguments, with the key and the run beside them', async () => {
		const { calls, tool } = counted();
		const { items } = await run({ tool, items: [{ orderId: 'A-1', amount: 5 }] });
		const [step] = await steps();
		expect(calls).toEqual([
			{
				orderId: 'A-1',
				amount: 5,
				idempotencyKey: step!.key,
				runId: `workflow-1:${order}`,
				durable: { run: `workflow-1:${order}`, slot: 'workflow-1/id-Call#0.0' },
				toolCallId: expect.any(String),
			},
		]);
		expect(items).toEqual([
			{ done: true, durable: expect.objectContaining({ key: step!.key, replayed: false }) },
		]);
	});

	it('does not depend on whether an earlier durable node replayed', async () => {
		const { calls, tool } = counted();
		const durable = (replayed: boolean) => ({
			...durableOutput(
				{ runId: 'r', step: 's' },
				{ key: 'k', attempt: 1, replayed, completedAt: '2027-06-01T09:00:00.000Z' },
			),
		});
		await run({ tool, items: [{ orderId: 'A-1', durable: durable(false) }] });
		const { items } = await run({ tool, items: [{ orderId: 'A-1', durable: durable(true) }] });
		expect(items[0]).toMatchObject({ done: true, durable: { replayed: true } });
		expect(calls).toHaveLength(1);
	});
});

describe('bad input', () => {
	it.each<[string, Partial<CoreRun>, RegExp]>([
		[
			'arguments that are no JSON',
			{ parameters: { toolArguments: '{ orderId: ' } },
			/"Arguments" is not valid JSON: correct it/,
		],
		[
			'arguments that are a list',
			{ parameters: { toolArguments: '[1, 2]' } },
			/"Arguments" must be a JSON object/,
		],
		[
			'a number that JSON cannot hold',
			{ parameters: { toolArguments: '{ "id": 12345678901234567890 }' } },
			/correct \/input\/arguments\/id/,
		],
		['a run id that is too long', { parameters: { runId: 'x'.repeat(300) } }, /correct \/runId/],
		[
			'a run id that is empty',
			{ parameters: { runId: '={{ $json.missing }}' } },
			/The Run ID gives no text or number/,
		],
		[
			'arguments over the limit',
			{ items: [{ text: 'x'.repeat(OVER_LIMIT) }] },
			/larger than the journal accepts.*nothing was executed/,
		],
	])('%s: one sentence, and nothing is called', async (_what, setting, sentence) => {
		const { calls, tool } = counted();
		const { error } = await run({ tool, ...setting });
		expect(error?.message).toMatch(sentence);
		expect(calls).toEqual([]);
		expect(await steps()).toEqual([]);
	});

	it('another input in the same place of the same run names what changed', async () => {
		const { calls, tool } = counted();
		await run({ tool, items: [{ orderId: 'A-1', at: 'nine' }] });
		const changed = { tool, items: [{ orderId: 'A-1', at: 'ten' }] };
		const stopped = await run(changed);
		expect(stopped.error?.message).toMatch(/changed: \/arguments\/at/);
		expect(calls).toHaveLength(1);
		const allowed = await run({ ...changed, options: { onInputChange: 'run' } });
		expect(allowed.error).toBeUndefined();
		expect(calls).toHaveLength(2);
	});

	it('a cancelled run stops everything, replays included', async () => {
		const { calls, tool } = counted();
		await run({ tool });
		await journal.admin('POST', `/v1/runs/workflow-1%3A${order}/cancel`, {
			reason: 'withdrawn',
			by: 'Operator',
		});
		const { error } = await run({ tool });
		expect(error?.message).toMatch(/cancelled/);
		expect(calls).toHaveLength(1);
	});
});

describe('a journal in trouble', () => {
	it('that refuses the key: says where to correct it, and nothing is called', async () => {
		const { calls, tool } = counted();
		const { baseUrl } = journal;
		const { error } = await run({ tool, credential: { baseUrl, apiKey: 'wrong' } });
		expect(error?.message).toMatch(/refused the API key.*Journal API credential/);
		expect(`${error?.message}${error?.description}`).not.toContain('wrong');
		expect(calls).toEqual([]);
	});

	it('that loses the answer to a claim: the tool runs once, in the first attempt', async () => {
		const { calls, tool } = counted();
		proxy.lose('claim', 'cut');
		const { items } = await run({ tool, credential: { ...proxy, apiKey: journal.apiKey } });
		expect(items[0]).toMatchObject({ durable: { attempt: 1, replayed: false } });
		expect(calls).toHaveLength(1);
		expect(proxy.verbs).toEqual(['claim', 'claim', 'complete']);
		const ids = proxy.bodies.claim!.map(({ claimId }) => claimId);
		expect(new Set(ids).size).toBe(1);
		expect(await states()).toEqual(['completed']);
	});

	it('that does not answer a claim in time: the tool runs once, in the first attempt', async () => {
		const { calls, tool } = counted();
		proxy.lose('claim', 'withhold');
		const { items } = await run({
			tool,
			credential: { ...proxy, apiKey: journal.apiKey },
			options: { leaseSeconds: 60, waitSeconds: 0 },
		});
		expect(items[0]).toMatchObject({ durable: { attempt: 1, replayed: false } });
		expect(calls).toHaveLength(1);
	});

	it('that loses the answer to a complete: it is completed, not in doubt', async () => {
		const { calls, tool } = counted();
		proxy.lose('complete', 'cut');
		const { items } = await run({ tool, credential: { ...proxy, apiKey: journal.apiKey } });
		expect(items[0]).toMatchObject({ done: true, durable: { replayed: false } });
		expect(calls).toHaveLength(1);
		expect(proxy.verbs).toEqual(['claim', 'complete', 'complete']);
		expect(await states()).toEqual(['completed']);
	});

	it('that loses the answer to a failure: it failed once', async () => {
		proxy.lose('fail', 'cut');
		const refusal = async () => {
			throw Object.assign(new Error('no such customer'), { httpCode: '404' });
		};
		const { error } = await run({
			tool: refusal,
			credential: { ...proxy, apiKey: journal.apiKey },
		});
		expect(error?.message).toMatch(
			/failed and trying again as it is will not help: no such customer/,
		);
		expect(await steps()).toMatchObject([{ state: 'failed', attempt: 1 }]);
	});

	it('that dies while the tool runs and comes back: the result is recorded', async () => {
		const calls: IDataObject[] = [];
		let back: Promise<void> | undefined;
		const tool = async (item: IDataObject) => {
			calls.push(item);
			await journal.kill('SIGKILL');
			back = journal.restart();
			return [{ json: { done: true } }];
		};
		const { items } = await run({ tool });
		await back;
		expect(items[0]).toMatchObject({ done: true, durable: { attempt: 1, replayed: false } });
		expect(calls).toHaveLength(1);
		expect(await states()).toEqual(['completed']);
	});

	it('that is down before the claim and comes back: nothing is lost', async () => {
		const { calls, tool } = counted();
		await journal.kill('SIGKILL');
		const running = run({ tool });
		await journal.restart();
		expect((await running).items[0]).toMatchObject({ done: true });
		expect(calls).toHaveLength(1);
	});

	it('that will not take a result so large: the step is done, and says so later', async () => {
		const { calls, tool } = counted(() => ({ text: 'x'.repeat(OVER_LIMIT) }));
		const first = await run({ tool });
		expect(first.error).toBeUndefined();
		expect(first.items[0]!.text).toHaveLength(OVER_LIMIT);
		expect(await states()).toEqual(['completed']);
		const second = await run({ tool });
		expect(second.error?.message).toMatch(/is done, but its result was larger.*start a new run/);
		expect(calls).toHaveLength(1);
	});
});

describe('several at once', () => {
	it('one executes, the others wait and get its result', async () => {
		const { calls, tool } = counted();
		const runs = await Promise.all(Array.from({ length: 5 }, () => run({ tool })));
		expect(runs.map(({ error }) => error)).toEqual([
			undefined,
			undefined,
			undefined,
			undefined,
			undefined,
		]);
		expect(calls).toHaveLength(1);
		const replayed = runs.map(({ items }) => (items[0]!.durable as IDataObject).replayed);
		expect(replayed.sort()).toEqual([false, true, true, true, true]);
	});
});

describe('a doubt', () => {
	it.each<[string, () => Promise<never[]>]>([
		['an error that says nothing', async () => Promise.reject(new Error('boom'))],
		['items with an error', async () => [{ json: { error: 'boom' } }] as never[]],
	])('%s: no second call in this or another execution', async (_what, act) => {
		let calls = 0;
		const tool = async () => {
			calls++;
			return await act();
		};
		const first = await run({ tool });
		const [step] = await steps();
		expect(first.error?.message).toMatch(new RegExp(`is in doubt.*resolve step ${step!.key}`));
		const second = await run({ tool });
		expect(second.error?.message).toMatch(new RegExp(`is in doubt.*resolve step ${step!.key}`));
		expect(calls).toBe(1);
	});
});
