/** A place of the workflow remembers the last step that it asked for, whoever claimed that first. */
import { openApi, type Api } from '../../api';

let api: Api;
beforeEach(async () => {
	api = await openApi();
});
afterEach(async () => await api.close());

type Members = Record<string, unknown>;
const BASE = { runId: 'order-1', step: 'mail' };
const claim = async (slot: string, input: unknown, members: Members = {}) =>
	(await api.post('/v1/steps/claim', { ...BASE, slot, input, ...members })).body;
const claimMany = async (...items: Members[]) =>
	(await api.post('/v1/steps/claim-many', { steps: items.map((item) => ({ ...BASE, ...item })) }))
		.body.results;
const complete = async ({ key, fencingToken }: { key: string; fencingToken: number }) =>
	await api.post(`/v1/steps/${key}/complete`, { fencingToken, result: 'sent' });
const done = async (slot: string, input: unknown, members: Members = {}) => {
	const { body } = { body: await claim(slot, input, members) };
	expect(body.outcome).toBe('execute');
	await complete(body);
	return body.key as string;
};
const runAnyway = { onInputChange: 'run' };

describe('a known step that is claimed from another place', () => {
	test('is that place’s last step: a changed input there is noticed', async () => {
		const key = await done('a', { to: 'ann' });
		expect((await claim('b', { to: 'ann' })).outcome).toBe('replay');
		expect(await claim('b', { to: 'ann', at: '10:01' })).toMatchObject({
			code: 'step_input_changed',
			previousKey: key,
			changed: ['/at'],
		});
	});

	test('an item in front moves all others: the next change is noticed in their new places', async () => {
		const ann = await done('0', { to: 'ann' });
		await done('0', { to: 'new' }, runAnyway);
		expect((await claim('1', { to: 'ann' }, runAnyway)).outcome).toBe('replay');
		expect(await claim('1', { to: 'ann', at: '10:01' })).toMatchObject({
			code: 'step_input_changed',
			previousKey: ann,
		});
	});

	test.each<[string, Members, (step: { key: string; fencingToken: number }) => Promise<unknown>]>([
		['under way', { code: 'step_in_progress' }, async () => {}],
		[
			'waiting',
			{ code: 'step_waiting_retry' },
			async ({ key, fencingToken }) =>
				await api.post(`/v1/steps/${key}/fail`, {
					fencingToken,
					error: { message: 'busy' },
					verdict: 'retryable',
				}),
		],
		[
			'in doubt',
			{ code: 'step_in_doubt' },
			async () => {
				api.clock.advance(60_000);
			},
		],
	])(
		'%s: a changed input in the place that asked in vain is no new step',
		async (_, refused, then) => {
			const first = await claim('a', { to: 'ann' });
			await then(first);
			expect(await claim('b', { to: 'ann' })).toMatchObject(refused);
			expect(await claim('b', { to: 'ann', at: '10:01' }, runAnyway)).toMatchObject({
				code: 'step_unsettled',
				previousKey: first.key,
				changed: ['/at'],
			});
		},
	);

	test('under an own key with another input it was not asked for: the place stays as it was', async () => {
		const own = { idempotencyKey: 'INV-7' };
		await done('a', { amount: 1 }, own);
		expect((await claim('b', { amount: 2 }, own)).code).toBe('idempotency_key_reused');
		expect((await claim('b', { amount: 3 })).outcome).toBe('execute');
	});

	test('within one claim-many, too', async () => {
		const results = await claimMany({ slot: '0', input: 1 }, { slot: '1', input: 1 });
		expect(results[1].body).toMatchObject({ code: 'step_in_progress', sameAs: 0 });
		await complete(results[0].body);
		expect(await claim('1', 2)).toMatchObject({
			code: 'step_input_changed',
			previousKey: results[0].body.key,
		});
	});
});

describe('a place whose last step is unsettled', () => {
	test('keeps it while a known step is given back there: it must not be forgotten', async () => {
		await done('a', { to: 'ann' });
		const doubtful = await claim('a', { to: 'bo' }, runAnyway);
		api.clock.advance(60_000);
		expect((await claim('a', { to: 'ann' })).outcome).toBe('replay');
		const changed = { to: 'bo', at: '10:01' };
		expect(await claim('a', changed, runAnyway)).toMatchObject({
			code: 'step_unsettled',
			previousKey: doubtful.key,
		});
		await complete(doubtful);
		const ann = await claim('a', { to: 'ann' });
		expect(await claim('a', changed)).toMatchObject({
			code: 'step_input_changed',
			previousKey: ann.key,
		});
	});

	test('is settled by whoever holds the step, from whichever place', async () => {
		const first = await claim('a', 1);
		await claim('b', 1);
		expect((await claim('b', 2, runAnyway)).code).toBe('step_unsettled');
		await complete(first);
		expect((await claim('b', 2, runAnyway)).outcome).toBe('execute');
	});
});

test('a replay in its own place writes nothing, in another one once', async () => {
	await done('a', 1);
	const write = jest.spyOn(api.journal.database, 'write');
	for (const [slot, writes] of [
		['a', 0],
		['b', 1],
		['b', 1],
		['a', 1],
	] as const) {
		expect((await claim(slot, 1)).outcome).toBe('replay');
		expect(write).toHaveBeenCalledTimes(writes);
	}
});
