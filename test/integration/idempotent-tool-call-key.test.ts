/** What identifies a call of Idempotent Tool Call: all of its arguments, some of them, the place, or a key of one's own. */
import type { IDataObject } from 'n8n-workflow';
import { startJournal, type Journal } from '../journal-process';
import { runInCore } from './idempotent-tool-call-core';

jest.setTimeout(60_000);

let journal: Journal;
let orders = 0;
beforeAll(async () => {
	journal = await startJournal();
});
afterAll(async () => await journal?.stop());

/** Runs the same workflow once for each list of items, in one run; counts what the tool did. */
async function effects(options: Record<string, unknown>, ...executions: IDataObject[][]) {
	const runId = `order-${++orders}`;
	const calls: IDataObject[] = [];
	const outcomes: unknown[] = [];
	for (const items of executions) {
		const { items: output, error } = await runInCore({
			credential: journal,
			parameters: { operation: 'connectedTool', runId, toolArguments: '={{ $json }}' },
			options: { onInputChange: 'run', ...options },
			items,
			tool: async (item) => {
				calls.push(item);
				return [{ json: { done: item.orderId ?? null } }];
			},
		});
		outcomes.push(error?.message ?? output.map(({ durable }) => durable));
	}
	return { calls: calls.length, outcomes };
}

const at = (sentAt: number, orderId = 'A-1') => ({ orderId, sentAt });

it('all arguments, unless said otherwise', async () => {
	expect((await effects({}, [at(1)], [at(1)], [at(2)])).calls).toBe(2);
});

it('an input that the tool changes while it runs is completed under the key that was claimed', async () => {
	const runId = `order-${++orders}`;
	const outcomes = [];
	for (const _ of [1, 2]) {
		const { items } = await runInCore({
			credential: journal,
			parameters: { operation: 'connectedTool', runId, toolArguments: '={{ $json }}' },
			items: [{ orderId: 'A-1', lines: [{ sku: 'a' }] }],
			tool: async (item) => {
				(item.lines as IDataObject[])[0]!.sku = 'changed';
				item.orderId = 'changed';
				return [{ json: { done: true } }];
			},
		});
		outcomes.push(items[0]!.durable as IDataObject);
	}
	expect(outcomes.map(({ replayed }) => replayed)).toEqual([false, true]);
	expect(outcomes[1]!.key).toBe(outcomes[0]!.key);
	const { body } = await journal.request('GET', `/v1/runs/workflow-1%3A${runId}`);
	expect(body.steps).toMatchObject([{ key: outcomes[0]!.key, state: 'completed' }]);
});

it.each([
	['fields left out', { keyFieldsLeftOut: 'arguments.sentAt' }],
	['fields chosen', { keyFieldsOnly: 'arguments.orderId' }],
])('%s: another time is the same call, another order is not', async (_what, options) => {
	const { calls, outcomes } = await effects(options, [at(1)], [at(2)], [at(3, 'A-2')]);
	expect(calls).toBe(2);
	expect(outcomes[1]).toEqual([expect.objectContaining({ replayed: true })]);
});

it('a chosen field that is not there is refused before anything happens', async () => {
	const { calls, outcomes } = await effects({ keyFieldsOnly: 'arguments.orderID' }, [at(1)]);
	expect(calls).toBe(0);
	expect(outcomes).toEqual([expect.stringMatching(/names "arguments.orderID".*correct the name/)]);
});

it('two items that are alike are one call, and two where the place counts', async () => {
	const alone = await effects({}, [at(1), at(1)]);
	expect(alone.calls).toBe(1);
	expect(alone.outcomes[0]).toEqual([
		expect.not.objectContaining({ sameAs: expect.anything() }),
		expect.objectContaining({ sameAs: 0, replayed: true }),
	]);
	const placed = await effects({ keyIncludesPlace: true }, [at(1), at(1)], [at(1), at(1)]);
	expect(placed.calls).toBe(2);
	expect(placed.outcomes[1]).toEqual([
		expect.objectContaining({ replayed: true }),
		expect.objectContaining({ replayed: true }),
	]);
});

it('a key of one’s own: the same key is the same call, with other arguments it is refused', async () => {
	const options = { ownKey: '={{ $json.orderId }}' };
	const { calls, outcomes } = await effects(options, [at(1)], [at(1)], [at(2)], [at(1, 'A-2')]);
	expect(calls).toBe(2);
	expect(outcomes[1]).toEqual([expect.objectContaining({ replayed: true })]);
	expect(outcomes[2]).toMatch(/same idempotency key was used with another input/);
});

it('a key of one’s own that gives nothing is refused', async () => {
	const { calls, outcomes } = await effects({ ownKey: '={{ $json.missing }}' }, [at(1)]);
	expect(calls).toBe(0);
	expect(outcomes).toEqual([expect.stringMatching(/gives nothing for this item/)]);
});
