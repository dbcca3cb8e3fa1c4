/** The Approval Gate in n8n's engine over a real journal: what it asks for, and what cannot work. */
import type { IDataObject } from 'n8n-workflow';
import type { Gate } from '../../service/contract/gates';
import { startJournal, type Journal } from '../journal-process';
import { runGate, type GateRun } from './approval-gate-core';
import { startLosingProxy, type LosingProxy } from './idempotent-tool-call-proxy';

jest.setTimeout(60_000);

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
});

const ask = (parameters: IDataObject = {}, more: Partial<GateRun> = {}) =>
	runGate({ credential: journal, ...more, parameters: { runId: order, ...parameters } });

/** The gates of this test's run. */
async function gates(runId = `workflow-1:${order}`): Promise<Gate[]> {
	const { body } = await journal.request('GET', `/v1/runs/${encodeURIComponent(runId)}`);
	return body.gates ?? [];
}

describe('the gate it opens', () => {
	it('names its place, and waits for ever by n8n’s own clock', async () => {
		const { waits, run, error } = await ask({ message: 'Why' });
		expect([waits, error]).toEqual([true, undefined]);
		expect(run.waitTill!.getUTCFullYear()).toBe(3000);
		expect(await gates()).toMatchObject([
			{
				gate: 'workflow-1/id-Gate#0',
				slot: 'workflow-1/id-Gate#0.0',
				state: 'open',
				title: 'Go on?',
				deadline: null,
				meta: { workflowId: 'workflow-1', node: 'id-Gate', nodeLabel: 'Gate' },
			},
		]);
	});

	it('waits in a workflow that is tested by hand', async () => {
		expect((await ask({}, { mode: 'manual' })).waits).toBe(true);
		expect(await gates()).toHaveLength(1);
	});

	it('stands for all items of the input', async () => {
		const { outputs } = await ask({}, { items: [{ line: 1 }, { line: 2 }] });
		const [gate, ...more] = await gates();
		expect(more).toEqual([]);
		// What n8n would pass through by itself: output 0, and not approved.
		expect(outputs).toMatchObject([
			[
				{ line: 1, approved: false, gateId: gate!.gateId },
				{ line: 2, approved: false, gateId: gate!.gateId },
			],
		]);
	});

	it('is the same over a retry, also when steps before it were replayed', async () => {
		const durable = { run: 'r', step: 's', key: 'k', attempt: 1, completedAt: 'then' };
		const items = (replayed: boolean) => [{ line: 1, durable: { ...durable, replayed } }];
		await ask({}, { items: items(false) });
		await ask({}, { items: items(true) });
		expect(await gates()).toHaveLength(1);
	});

	it('is that of the execution and its retries where no run id is given', async () => {
		await ask({ runId: '' }, { signature: `first-${order}` });
		await ask({ runId: '' }, { signature: `first-${order}` });
		await ask({ runId: '' }, { signature: `other-${order}` });
		const { body } = await journal.admin('GET', '/v1/runs?limit=500');
		const automatic = body.items.filter(({ runId }: Gate) => runId.startsWith('exec:'));
		expect(automatic).toHaveLength(2);
		for (const { runId } of automatic) expect(await gates(runId)).toHaveLength(1);
	});

	it('is superseded by the one that asks with another input', async () => {
		await ask({}, { items: [{ amount: 7 }] });
		await ask({}, { items: [{ amount: 8 }] });
		const states = (await gates()).map(({ state }) => state).sort();
		expect(states).toEqual(['cancelled', 'open']);
	});

	it('is opened once although the answer was lost', async () => {
		proxy.lose('gates', 'cut');
		const { waits } = await ask(
			{},
			{ credential: { baseUrl: proxy.baseUrl, apiKey: journal.apiKey } },
		);
		expect(waits).toBe(true);
		expect(await gates()).toHaveLength(1);
	});

	it.each([
		['after a duration', { deadlineType: 'after', deadlineAmount: 2, deadlineUnit: 'days' }],
		['at a clock time', { deadlineType: 'clock', deadlineTime: '11:00' }],
		[
			'at an instant',
			{ deadlineType: 'instant', deadlineDateTime: '={{ $now.plus({ days: 2 }) }}' },
		],
	])('has its deadline %s', async (_, deadline) => {
		const { error } = await ask(deadline);
		expect(error).toBeUndefined();
		const [gate] = await gates();
		const inDays = (Date.parse(gate!.deadline!) - Date.parse(gate!.openedAt)) / 86_400_000;
		expect(inDays).toBeGreaterThan(0);
		expect(inDays).toBeLessThanOrEqual(2.01);
	});
});

describe('what cannot work', () => {
	it.each<[string, IDataObject, RegExp]>([
		['no title', { title: '={{ "" }}' }, /title/],
		['details that are no JSON', { details: '{"a":' }, /Details/],
		['a deadline that is no time', { deadlineType: 'clock', deadlineTime: 'noon' }, /noon/],
		[
			'a deadline in the past',
			{ deadlineType: 'instant', deadlineDateTime: '2020-01-01T00:00:00Z' },
			/\/deadline/,
		],
		[
			'a time zone that is none',
			{ deadlineType: 'clock', deadlineTime: '11:00', deadlineTimeZone: 'Europe/Atlantis' },
			/\/deadline/,
		],
		['a kind of deadline that is none', { deadlineType: '={{ "never" }}' }, /field Deadline/],
		['details that are nothing', { details: '={{ $json.missing }}' }, /field Details/],
		['channels that are nothing', { channels: '={{ $json.missing }}' }, /field Channels/],
		['a channel that is none', { channels: ['pigeon'] }, /field Channels/],
		['a channel that is not set up', { channels: ['telegram'] }, /TELEGRAM_BOT_TOKEN/],
		['a number that would be rounded', { details: '={{ { id: 2 ** 60 } }}' }, /\/input\/id/],
	])(
		'%s stops with one sentence that names it, and opens nothing',
		async (_, parameters, names) => {
			const { waits, error, outputs } = await ask(parameters);
			expect(error!.message).toMatch(names);
			expect(error!.message).not.toContain('\n');
			expect([waits, outputs]).toEqual([false, []]);
			expect(await gates()).toEqual([]);
		},
	);

	it('items of several runs are not decided together', async () => {
		const items = [{ orderId: `${order}-a` }, { orderId: `${order}-b` }];
		const { waits, error } = await ask({ runId: '={{ $json.orderId }}' }, { items });
		expect(error!.message).toContain('Loop Over Items');
		expect(waits).toBe(false);
	});

	it('a wrong API key is named, and not shown', async () => {
		const apiKey = 'a-wrong-key-of-the-tests';
		const { waits, error } = await ask({}, { credential: { baseUrl: journal.baseUrl, apiKey } });
		expect(error!.message).toContain('API key');
		expect(JSON.stringify(error)).not.toContain(apiKey);
		expect(waits).toBe(false);
	});
});
