/** A step in doubt may be looked up in the other system: one look at a time, which settles it or not. */
import { openApi, type Api } from '../../api';

let api: Api;
beforeEach(async () => {
	api = await openApi();
});
afterEach(async () => await api.close());

const LEASE_MS = 60_000;
const claim = async (more: object = {}) =>
	await api.post('/v1/steps/claim', { runId: 'r', step: 's', input: 1, ...more });
const verify = async (more: object = {}) =>
	await claim({ onInDoubt: 'verify', lookAfterMs: 0, ...more });
const read = async (key: string) => (await api.call('GET', `/v1/steps/${key}`)).body;
const complete = async (key: string, fencingToken: number, result: unknown) =>
	await api.post(`/v1/steps/${key}/complete`, { fencingToken, result });
const fail = async (key: string, fencingToken: number, verdict: string, message = 'said') =>
	await api.post(`/v1/steps/${key}/fail`, { fencingToken, error: { message }, verdict });

/** A step whose executor was never heard of again. */
async function doubt(more: object = {}) {
	const { body } = await claim(more);
	api.clock.advance(LEASE_MS);
	return body as { key: string; fencingToken: number };
}

test('a look is a claim that does not execute: the step stays in doubt, in the same attempt', async () => {
	const { key, fencingToken } = await doubt();
	const { status, body } = await verify();
	expect(status).toBe(200);
	expect(body).toEqual({
		outcome: 'verify',
		key,
		attempt: 1,
		fencingToken: fencingToken + 1,
		leaseExpiresAt: expect.any(String),
	});
	expect(await read(key)).toMatchObject({ state: 'in_doubt', attempt: 1 });
});

test('it happened: later claims replay what the look found', async () => {
	const { key } = await doubt();
	const look = (await verify()).body;
	expect((await complete(key, look.fencingToken, { id: 'INV-1' })).body.state).toBe('completed');
	expect((await complete(key, look.fencingToken, { id: 'INV-1' })).status).toBe(200);
	expect((await claim()).body).toMatchObject({ outcome: 'replay', result: { id: 'INV-1' } });
	expect(await read(key)).toMatchObject({ settledBy: 'look', attempt: 1 });
});

test('it did not happen: the next attempt may begin at once, and is the second one', async () => {
	const { key } = await doubt();
	const look = (await verify()).body;
	const said = (await fail(key, look.fencingToken, 'retryable')).body;
	expect(said).toMatchObject({ state: 'waiting_retry' });
	expect((await fail(key, look.fencingToken, 'retryable')).body).toEqual(said);
	const next = (await verify()).body;
	expect(next).toMatchObject({ outcome: 'execute', attempt: 2 });
	expect(next.fencingToken).toBeGreaterThan(look.fencingToken);
});

test('attempts that the look found not to have happened count: a crash at each of them comes to an end', async () => {
	const retry = { maxAttempts: 2 };
	for (const attempt of [1, 2]) {
		expect((await verify({ retry })).body).toMatchObject({ outcome: 'execute', attempt });
		api.clock.advance(LEASE_MS);
		const look = (await verify({ retry })).body;
		const state = attempt === 1 ? 'waiting_retry' : 'failed';
		expect((await fail(look.key, look.fencingToken, 'retryable')).body.state).toBe(state);
	}
});

test('nobody knows: the step stays in doubt with the reason, and another claim looks again', async () => {
	const { key } = await doubt();
	const look = (await verify()).body;
	expect((await fail(key, look.fencingToken, 'in_doubt', 'HTTP 503')).body.state).toBe('in_doubt');
	expect((await fail(key, look.fencingToken, 'in_doubt', 'HTTP 503')).status).toBe(200);
	expect(await read(key)).toMatchObject({ state: 'in_doubt', lookError: { message: 'HTTP 503' } });
	const again = (await verify()).body;
	expect(again).toMatchObject({ outcome: 'verify', fencingToken: look.fencingToken + 1 });
});

test('one look at a time; a lost answer is given again', async () => {
	await doubt();
	const look = (await verify({ claimId: 'a' })).body;
	expect((await verify({ claimId: 'a' })).body).toMatchObject({
		outcome: 'verify',
		fencingToken: look.fencingToken,
	});
	const other = await verify({ claimId: 'b' });
	expect(other.body).toMatchObject({
		code: 'step_in_progress',
		leaseExpiresAt: look.leaseExpiresAt,
		retryAfterMs: LEASE_MS,
	});
});

test('a look that died makes room for another, which fences it off', async () => {
	const { key } = await doubt();
	const dead = (await verify()).body;
	api.clock.advance(LEASE_MS);
	const next = (await verify()).body;
	expect(next).toMatchObject({ outcome: 'verify', fencingToken: dead.fencingToken + 1 });
	expect((await complete(key, dead.fencingToken, 'x')).body.code).toBe('lease_lost');
	expect((await complete(key, next.fencingToken, 'y')).status).toBe(200);
});

test('a look can be prolonged while it holds', async () => {
	const { key } = await doubt();
	const { fencingToken } = (await verify()).body;
	const renew = async () =>
		await api.post(`/v1/steps/${key}/renew`, { fencingToken, leaseMs: 100_000 });
	expect((await renew()).status).toBe(200);
	api.clock.advance(99_999);
	expect((await verify()).body.code).toBe('step_in_progress');
	api.clock.advance(1);
	expect((await renew()).body.code).toBe('lease_lost');
});

test('nobody looks before the receiver had time, counted from the end of the lease or the report', async () => {
	const { key, fencingToken } = (await claim()).body;
	api.clock.advance(LEASE_MS + 1_000);
	const lookAt = new Date(api.clock.ms + 4_000).toISOString();
	const early = await claim({ onInDoubt: 'verify', lookAfterMs: 5_000 });
	expect(early.body).toMatchObject({ code: 'step_in_doubt', lookAt, retryAfterMs: 4_000 });
	expect((await claim({ onInDoubt: 'verify' })).body).toMatchObject({ lookAt });
	await fail(key, fencingToken, 'in_doubt');
	expect((await claim({ onInDoubt: 'verify' })).body).toMatchObject({ retryAfterMs: 5_000 });
	api.clock.advance(5_000);
	expect((await claim({ onInDoubt: 'verify' })).body.outcome).toBe('verify');
});

describe('the executor comes back while somebody looks', () => {
	test('it has done it: its result stands, and the look is refused', async () => {
		const { key, fencingToken } = await doubt();
		const look = (await verify()).body;
		expect((await complete(key, fencingToken, 'its own')).status).toBe(200);
		expect((await fail(key, look.fencingToken, 'retryable')).body.code).toBe('lease_lost');
		expect((await complete(key, look.fencingToken, 'seen')).body.code).toBe('lease_lost');
		expect((await verify()).body).toMatchObject({ outcome: 'replay', result: 'its own' });
	});

	test('it does not know either: what the look saw may have been too early', async () => {
		const { key, fencingToken } = await doubt();
		const look = (await verify()).body;
		await fail(key, fencingToken, 'in_doubt');
		expect((await fail(key, look.fencingToken, 'retryable')).body.code).toBe('lease_lost');
		expect((await verify()).body.outcome).toBe('verify');
	});

	test('it has done it, after the look found nothing and before anybody began anew', async () => {
		const { key, fencingToken } = await doubt();
		const look = (await verify()).body;
		await fail(key, look.fencingToken, 'retryable');
		expect((await complete(key, fencingToken, 'its own')).status).toBe(200);
		expect((await verify()).body).toMatchObject({ outcome: 'replay', result: 'its own' });
	});

	test('it had not begun, and lost only its answer: it executes, and the look says nothing', async () => {
		const { key, fencingToken } = await doubt({ claimId: 'c' });
		const look = (await verify()).body;
		expect((await claim({ claimId: 'c' })).body).toMatchObject({
			outcome: 'execute',
			fencingToken,
		});
		api.clock.advance(LEASE_MS);
		expect((await fail(key, look.fencingToken, 'retryable')).body.code).toBe('lease_lost');
		expect((await complete(key, look.fencingToken, 'seen')).body.code).toBe('lease_lost');
	});

	test('after another attempt began it is fenced off, and so is the look', async () => {
		const { key, fencingToken } = await doubt();
		const look = (await verify()).body;
		expect((await claim({ onInDoubt: 'retry' })).body).toMatchObject({ attempt: 2 });
		for (const token of [fencingToken, look.fencingToken])
			expect((await complete(key, token, 'late')).body.code).toBe('lease_lost');
	});
});

test('a person may answer while somebody looks, and that stands', async () => {
	const { key } = await doubt();
	const { gateId } = (await claim({ onInDoubt: 'ask' })).body;
	const look = (await verify()).body;
	const answer = { decision: 'happened', by: 'ann', edits: 'seen by ann' };
	expect((await api.admin('POST', `/v1/gates/${gateId}/decide`, answer)).status).toBe(200);
	expect((await fail(key, look.fencingToken, 'retryable')).body.code).toBe('lease_lost');
	expect((await verify()).body).toMatchObject({ outcome: 'replay', result: 'seen by ann' });
});

test('a look that finds it out closes the question that people were asked', async () => {
	const { key } = await doubt();
	const { gateId } = (await claim({ onInDoubt: 'ask' })).body;
	const look = (await verify()).body;
	await complete(key, look.fencingToken, 'found');
	expect((await api.call('GET', `/v1/gates/${gateId}`)).body.state).toBe('cancelled');
});

test('in claim-many the same step twice is one look', async () => {
	await doubt();
	const one = { runId: 'r', step: 's', input: 1, onInDoubt: 'verify', lookAfterMs: 0 };
	const { body } = await api.post('/v1/steps/claim-many', { steps: [one, one] });
	expect(body.results).toMatchObject([
		{ status: 200, body: { outcome: 'verify' } },
		{ status: 409, body: { code: 'step_in_progress', sameAs: 0 } },
	]);
});

test('a cancelled run is not looked into', async () => {
	await doubt();
	await api.admin('POST', '/v1/runs/r/cancel', { reason: 'no', by: 'ann' });
	expect((await verify()).body.code).toBe('run_cancelled');
});
