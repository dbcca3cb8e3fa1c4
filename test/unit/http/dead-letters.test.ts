import { expireLeases } from '../../../service/journal/expire-leases';
import { openApi, type Api } from '../../api';

let api: Api;
beforeEach(async () => {
	api = await openApi();
});
afterEach(async () => await api.close());

const claim = async (step: string, extra: object = {}) =>
	(await api.post('/v1/steps/claim', { runId: 'r', step, input: { private: step }, ...extra }))
		.body;
const fail = async (
	{ key, fencingToken }: { key: string; fencingToken: number },
	verdict: string,
	extra: object = {},
) =>
	await api.post(`/v1/steps/${key}/fail`, {
		fencingToken,
		error: { message: 'no answer', code: 'timeout', status: 504 },
		verdict,
		...extra,
	});
const once = { retry: { maxAttempts: 1 } };
const exhausted = async (step: string, extra: object = {}) => {
	const claimed = await claim(step, { ...once, ...extra });
	await fail(claimed, 'retryable');
	return claimed.key as string;
};
const list = async (path: string) => (await api.call('GET', path)).body;
const letters = async (): Promise<string[]> =>
	(await list('/v1/dead-letters')).items.map(({ key }: { key: string }) => key);
const resolve = async (key: string, as: string) =>
	await api.admin('POST', `/v1/steps/${key}/resolve`, { as, by: 'ops', reason: 'looked' });

test('attempts used up: listed with what a person needs, without payloads', async () => {
	const key = await exhausted('charge', { meta: { executionId: '7', nodeLabel: 'Charge' } });
	expect(await list('/v1/dead-letters')).toEqual({
		items: [
			{
				key,
				runId: 'r',
				step: 'charge',
				state: 'failed',
				attempt: 1,
				firstClaimedAt: '2027-03-01T10:00:00.000Z',
				claimedAt: '2027-03-01T10:00:00.000Z',
				settledAt: '2027-03-01T10:00:00.000Z',
				settledBy: 'holder',
				error: { message: 'no answer', code: 'timeout', status: 504 },
				meta: { executionId: '7', nodeLabel: 'Charge' },
			},
		],
		nextCursor: null,
	});
});

test('time used up is one too; what trying again cannot help, and doubt, are none', async () => {
	const late = await claim('late', { retry: { maxElapsedMs: 1_000 } });
	api.clock.advance(2_000);
	await fail(late, 'retryable');
	await fail(await claim('terminal', once), 'terminal');
	await fail(await claim('doubt', once), 'in_doubt');
	await fail(await claim('again'), 'retryable');
	const stopped = await claim('stopped');
	await fail(stopped, 'in_doubt');
	await resolve(stopped.key, 'failed');
	expect(await letters()).toEqual([late.key]);
});

describe('one leaves the list', () => {
	test.each(['retry', 'completed', 'failed'])('resolved as %s', async (as) => {
		const key = await exhausted('s');
		expect((await resolve(key, as)).status).toBe(200);
		expect(await letters()).toEqual([]);
	});

	test('"retry" leads back: the next claim executes, with retries of its own', async () => {
		const key = await exhausted('s');
		await resolve(key, 'retry');
		const second = await claim('s', { retry: { maxAttempts: 2 } });
		expect(second).toMatchObject({ outcome: 'execute', attempt: 2 });
		expect((await fail(second, 'retryable')).body.state).toBe('waiting_retry');
		expect(await letters()).toEqual([]);
	});

	test('taken up by another execution, and back when that is used up as well', async () => {
		const key = await exhausted('s', { meta: { executionId: '1' } });
		const again = await claim('s', { ...once, meta: { executionId: '2' } });
		expect(again.outcome).toBe('execute');
		expect(await letters()).toEqual([]);
		await fail(again, 'retryable');
		expect(await letters()).toEqual([key]);
	});

	test.each([
		['cancelled', 'POST', '/v1/runs/r/cancel', { by: 'ops', reason: 'r' }],
		['completed', 'POST', '/v1/runs/r/settle', { by: 'ops', as: 'completed' }],
		['erased', 'DELETE', '/v1/runs/r', undefined],
	])('with its run %s', async (_, method, path, body) => {
		await exhausted('s');
		expect((await api.admin(method, path, body)).status).toBeLessThan(300);
		expect(await letters()).toEqual([]);
	});

	test.each(['failed', 'dead'])('but not with its run %s, which is to be repaired', async (as) => {
		const key = await exhausted('s');
		await api.admin('POST', '/v1/runs/r/settle', { by: 'ops', as });
		expect(await letters()).toEqual([key]);
	});
});

test('newest first, page by page', async () => {
	const keys: string[] = [];
	for (const step of ['a', 'b', 'c']) keys.unshift(await exhausted(step));
	const first = await list('/v1/dead-letters?limit=2');
	const second = await list(`/v1/dead-letters?limit=2&cursor=${first.nextCursor}`);
	const seen = [...first.items, ...second.items].map(({ key }: { key: string }) => key);
	expect([seen, second.nextCursor]).toEqual([keys, null]);
	expect((await api.call('GET', '/v1/dead-letters?cursor=bm9uZQ')).status).toBe(400);
});

test('steps in doubt are a list of their own, until they are resolved', async () => {
	await exhausted('letter');
	const reported = await claim('reported');
	await fail(reported, 'in_doubt');
	const silent = await claim('silent', { leaseMs: 1_000 });
	api.clock.advance(1_001);
	await expireLeases(api.journal);
	const doubts = async () => (await list('/v1/steps?state=in_doubt')).items;
	expect(await doubts()).toMatchObject([
		{ key: silent.key, runId: 'r', state: 'in_doubt', settledBy: 'clock' },
		{ key: reported.key, error: { code: 'timeout' } },
	]);
	expect(JSON.stringify(await doubts())).not.toContain('private');
	await resolve(silent.key, 'completed');
	expect(await doubts()).toHaveLength(1);
	for (const query of ['', '?state=claimed'])
		expect((await api.call('GET', `/v1/steps${query}`)).status).toBe(400);
});
