/** Idempotent Tool Call with Once Per, in n8n's engine: at most one call for a business key, whatever run asks. */
import type { IDataObject } from 'n8n-workflow';
import { startJournal, type Journal } from '../journal-process';
import { runInCore } from './idempotent-tool-call-core';

jest.setTimeout(60_000);

let journal: Journal;
let customers = 0;
beforeAll(async () => {
	journal = await startJournal();
});
afterAll(async () => await journal?.stop());

const newCustomer = () => `customer-${++customers}`;

/** One execution with one item for each order of that customer. */
async function run(customer: string, orders: string[], options: object = {}, runId?: string) {
	const calls: IDataObject[] = [];
	const { items, error } = await runInCore({
		credential: journal,
		parameters: {
			operation: 'connectedTool',
			runId: runId ?? '={{ $json.order }}',
			toolArguments: '={{ $json }}',
		},
		options: { guardKey: '={{ $json.customer }}', waitSeconds: 0, ...options },
		items: orders.map((order) => ({ order, customer })),
		tool: async (item) => {
			calls.push(item);
			return [{ json: { invoice: `for ${String(item.order)}` } }];
		},
	});
	return { calls: calls.length, items, error };
}

it('refuses in another run, and says which run did it and when', async () => {
	const customer = newCustomer();
	expect(await run(customer, [`${customer}-a`])).toMatchObject({ calls: 1, error: undefined });
	const { calls, error } = await run(customer, [`${customer}-b`]);
	expect(calls).toBe(0);
	expect(error?.message).toMatch(
		new RegExp(`^Step "Call" was already done at .+Z in run "workflow-1:${customer}-a"`),
	);
});

it('replays the result of the other run, and names it', async () => {
	const customer = newCustomer();
	await run(customer, [`${customer}-a`]);
	const { calls, items } = await run(customer, [`${customer}-b`], { guardOnRepeat: 'replay' });
	expect(calls).toBe(0);
	expect(items).toEqual([
		{
			invoice: `for ${customer}-a`,
			durable: expect.objectContaining({
				run: `workflow-1:${customer}-b`,
				fromRun: `workflow-1:${customer}-a`,
				replayed: true,
			}),
		},
	]);
});

it('holds within one execution, too', async () => {
	const customer = newCustomer();
	const orders = [`${customer}-a`, `${customer}-b`];
	const { calls, items } = await run(customer, orders, { guardOnRepeat: 'replay' }, 'one-run');
	expect(calls).toBe(1);
	expect(items.map(({ invoice }) => invoice)).toEqual([`for ${customer}-a`, `for ${customer}-a`]);
});

it('a key that gives nothing is refused, and nothing is sent', async () => {
	const { calls, error } = await run('', [newCustomer()]);
	expect(calls).toBe(0);
	expect(error?.message).toMatch(/^The option Once Per gives nothing for this item/);
});

it('two customers do not hold each other up', async () => {
	const [first, second] = [newCustomer(), newCustomer()];
	expect((await run(first, [`${first}-a`])).calls).toBe(1);
	expect((await run(second, [`${second}-a`])).calls).toBe(1);
});
