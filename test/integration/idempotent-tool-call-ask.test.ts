/** Idempotent Tool Call with On Doubt "ask people", in n8n's engine: it waits for the answer and goes on by it. */
import type { IDataObject } from 'n8n-workflow';
import { startJournal, type Journal } from '../journal-process';
import { waitUntil } from '../wait-until';
import { runInCore } from './idempotent-tool-call-core';

jest.setTimeout(60_000);

let journal: Journal;
let orders = 0;
beforeAll(async () => {
	journal = await startJournal();
});
afterAll(async () => await journal?.stop());

/** Runs the node with a tool whose first call breaks off after its effect, and answers the question. */
async function runAndAnswer(decision: string) {
	const calls: IDataObject[] = [];
	const running = runInCore({
		credential: journal,
		parameters: {
			operation: 'connectedTool',
			runId: `asked-${++orders}`,
			toolArguments: '={{ $json }}',
		},
		options: { onInDoubt: 'ask', waitSeconds: 30 },
		items: [{ orderId: 'A-1' }],
		tool: async (item) => {
			calls.push(item);
			if (calls.length === 1) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
			return [{ json: { charge: 'second' } }];
		},
	});
	const gateId = await waitUntil('people to be asked', async () => {
		const { body } = await journal.request('GET', '/v1/gates?state=open');
		return body.items[0]?.gateId as string | undefined;
	});
	const answer = { decision, by: 'ann', edits: { charge: 'found' } };
	expect((await journal.admin('POST', `/v1/gates/${gateId}/decide`, answer)).status).toBe(200);
	return { calls: calls.length, ...(await running) };
}

it('it happened: goes on with the result that the person gave', async () => {
	const { calls, items } = await runAndAnswer('happened');
	expect(calls).toBe(1);
	expect(items).toEqual([
		{ charge: 'found', durable: expect.objectContaining({ replayed: true }) },
	]);
});

it('it did not: runs the tool again', async () => {
	const { items } = await runAndAnswer('not_happened');
	expect(items).toEqual([
		{ charge: 'second', durable: expect.objectContaining({ attempt: 2, replayed: false }) },
	]);
});

it('stop: ends with who stopped it', async () => {
	const { calls, error } = await runAndAnswer('stop');
	expect(calls).toBe(1);
	expect(error?.message).toMatch(/was stopped by a person/);
});
