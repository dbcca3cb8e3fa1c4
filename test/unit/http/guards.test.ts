/** Once per business key within a time, whatever run asks. */
import fc from 'fast-check';
import { guardSha256, judgeGuard } from '../../../service/domain/guard';
import { openApi, type Api } from '../../api';

let api: Api;
beforeEach(async () => {
	api = await openApi();
});
afterEach(async () => await api.close());

const HOUR_MS = 3_600_000;
const LEASE_MS = 60_000;
const guard = { key: 'customer 17', withinMs: 24 * HOUR_MS, onRepeat: 'refuse' };
const request = (runId: string, more: object = {}) => ({
	runId,
	step: 'invoice',
	input: { total: 490 },
	guard,
	...more,
});
const claim = async (runId: string, more: object = {}) =>
	(await api.post('/v1/steps/claim', request(runId, more))).body;
const complete = async ({ key, fencingToken }: { key: string; fencingToken: number }) =>
	await api.post(`/v1/steps/${key}/complete`, { fencingToken, result: { id: 'INV-1' } });
const fail = async (
	{ key, fencingToken }: { key: string; fencingToken: number },
	verdict: string,
) => await api.post(`/v1/steps/${key}/fail`, { fencingToken, error: { message: 'no' }, verdict });

test('done within the time: another run is refused, and told where and when', async () => {
	const done = await claim('a');
	await complete(done);
	api.clock.advance(HOUR_MS);
	expect(await claim('b')).toMatchObject({
		status: 409,
		code: 'step_repeated',
		key: done.key,
		runId: 'a',
		step: 'invoice',
		completedAt: new Date(api.clock.ms - HOUR_MS).toISOString(),
	});
	expect((await api.call('GET', '/v1/runs/b')).body.steps).toEqual([]);
});

test('or gets the result of the other run, which is named', async () => {
	const done = await claim('a');
	await complete(done);
	const replay = { guard: { ...guard, onRepeat: 'replay' } };
	expect(await claim('b', replay)).toMatchObject({
		outcome: 'replay',
		key: done.key,
		runId: 'a',
		result: { id: 'INV-1' },
	});
});

test('the same step in its own run is a replay as ever', async () => {
	await complete(await claim('a'));
	const again = await claim('a');
	expect(again).toMatchObject({ outcome: 'replay', result: { id: 'INV-1' } });
	expect(again.runId).toBeUndefined();
});

test('another step of the same run counts like one of another', async () => {
	await complete(await claim('a'));
	expect(await claim('a', { input: { total: 500 } })).toMatchObject({ code: 'step_repeated' });
});

test('after the time it may be done again, and then that one counts', async () => {
	await complete(await claim('a'));
	api.clock.advance(24 * HOUR_MS);
	await complete(await claim('b'));
	api.clock.advance(HOUR_MS);
	expect(await claim('c')).toMatchObject({ code: 'step_repeated', runId: 'b' });
});

test.each([
	['another key', { guard: { ...guard, key: 'customer 18' } }],
	['another step', { step: 'reminder' }],
	['another name', { guard: { ...guard, name: 'dunning' } }],
	['no guard', { guard: undefined }],
])('%s is not held up', async (_, more) => {
	await complete(await claim('a'));
	expect(await claim('b', more)).toMatchObject({ outcome: 'execute' });
});

test('steps of other names share a guard by its name', async () => {
	const named = { guard: { ...guard, name: 'dunning' } };
	await complete(await claim('a', named));
	expect(await claim('b', { ...named, step: 'reminder' })).toMatchObject({ code: 'step_repeated' });
});

test('being done elsewhere: in progress, until it is done or in doubt', async () => {
	const held = await claim('a');
	expect(await claim('b')).toMatchObject({
		code: 'step_in_progress',
		key: held.key,
		runId: 'a',
		retryAfterMs: 1_000,
	});
	api.clock.advance(LEASE_MS);
	for (const onInDoubt of ['fail', 'retry', 'ask', 'verify'])
		expect(await claim('b', { onInDoubt })).toMatchObject({
			code: 'step_in_doubt',
			key: held.key,
			runId: 'a',
		});
});

test('waiting to be tried again elsewhere: in progress', async () => {
	await fail(await claim('a'), 'retryable');
	expect(await claim('b')).toMatchObject({ code: 'step_in_progress', runId: 'a' });
});

test('failed elsewhere does not count; when that one is taken up again, it has to ask', async () => {
	await fail(await claim('a', { meta: { executionId: '1' } }), 'terminal');
	await complete(await claim('b'));
	expect(await claim('a', { meta: { executionId: '2' } })).toMatchObject({
		code: 'step_repeated',
		runId: 'b',
	});
});

test('a claim that is refused for another reason takes no guard', async () => {
	await complete(await claim('a'));
	api.clock.advance(2 * HOUR_MS);
	const short = { guard: { ...guard, withinMs: HOUR_MS } };
	await api.post('/v1/steps/claim', { runId: 'b', step: 's', input: 1 });
	await api.post('/v1/runs/b/settle', { as: 'completed', by: 'ann' });
	expect((await claim('b', short)).outcome).toBeUndefined();
	expect(await claim('c')).toMatchObject({ code: 'step_repeated', runId: 'a' });
});

test('however many ask at once, one executes', async () => {
	const runs = Array.from({ length: 20 }, (_, index) => `run ${index}`);
	const bodies = await Promise.all(runs.map(async (runId) => await claim(runId)));
	expect(bodies.filter(({ outcome }) => outcome === 'execute')).toHaveLength(1);
	expect(bodies.filter(({ code }) => code === 'step_in_progress')).toHaveLength(19);
});

test('in claim-many, too, within the call and beside others', async () => {
	const steps = [request('a'), request('b'), request('c', { guard: undefined })];
	const many = async () => (await api.post('/v1/steps/claim-many', { steps })).body.results;
	const [first, second] = await Promise.all([many(), many()]);
	expect(first).toMatchObject([
		{ body: { outcome: 'execute' } },
		{ body: { code: 'step_in_progress', runId: 'a' } },
		{ body: { outcome: 'execute' } },
	]);
	expect(second.filter(({ status }: { status: number }) => status === 200)).toEqual([]);
});

test('an erased run stands in nobody’s way, and leaves nothing of its guard', async () => {
	await complete(await claim('a'));
	await api.admin('DELETE', '/v1/runs/a');
	const left = await api.journal.database.read(
		async (queries) => await queries.get('SELECT count(*) AS n FROM guards'),
	);
	expect(left).toEqual({ n: 0 });
	expect(await claim('b')).toMatchObject({ outcome: 'execute' });
});

test('a guard that another run took over outlives its first run', async () => {
	await fail(await claim('a'), 'terminal');
	await complete(await claim('b'));
	await api.admin('DELETE', '/v1/runs/a');
	expect(await claim('c')).toMatchObject({ code: 'step_repeated', runId: 'b' });
});

test('a guard is told by name and key, however they are put together', () => {
	const text = fc.string({ minLength: 1 });
	fc.assert(
		fc.property(text, text, text, text, (step, key, otherStep, otherKey) => {
			const same = step === otherStep && key === otherKey;
			expect(guardSha256(step, { key }) === guardSha256(otherStep, { key: otherKey })).toBe(same);
			expect(guardSha256('any', { name: step, key })).toBe(guardSha256(step, { key }));
		}),
	);
});

test('only what failed, or was done too long ago, is free', () => {
	const base = {
		attempt: 1,
		fencingToken: 1,
		claimId: undefined,
		firstClaimedAt: 0,
		budgetAttempt: 0,
		budgetStartedAt: 0,
		nextAttemptAt: undefined,
		settledBy: undefined,
		executionId: undefined,
		lookToken: undefined,
		lookUntil: undefined,
		lookClaimId: undefined,
	};
	const state = fc.constantFrom('claimed', 'completed', 'failed', 'in_doubt', 'waiting_retry');
	fc.assert(
		fc.property(
			state,
			fc.nat(),
			fc.nat(),
			fc.nat(),
			fc.nat(),
			(is, settledAt, lease, within, now) => {
				const last = { ...base, state: is, settledAt, leaseExpiresAt: lease };
				const free = is === 'failed' || (is === 'completed' && now - settledAt >= within);
				expect(judgeGuard(last, within, now) === 'free').toBe(free);
			},
		),
	);
});
