import { once } from 'node:events';
import { connect } from 'node:net';
import { stepKey } from '../../../service/domain/key';
import { expireLeases } from '../../../service/journal/expire-leases';
import { API_KEY, openApi, type Api } from '../../api';
import { waitUntil } from '../../wait-until';

let api: Api;
beforeEach(async () => {
	api = await openApi();
});
afterEach(async () => await api.close());

const INVOICE = { runId: 'order-1', step: 'invoice', input: { amount: 490 } };
const claim = async (members: object = {}) =>
	await api.post('/v1/steps/claim', { ...INVOICE, ...members });
const complete = async (key: string, fencingToken: number, result: unknown) =>
	await api.post(`/v1/steps/${key}/complete`, { fencingToken, result });
const fail = async (key: string, fencingToken: number, members: object) =>
	await api.post(`/v1/steps/${key}/fail`, { fencingToken, error: { message: 'm' }, ...members });
const resolve = async (key: string, members: object) =>
	await api.admin('POST', `/v1/steps/${key}/resolve`, { reason: 'looked', by: 'ops', ...members });

describe('claim, act, complete', () => {
	test('the first claim executes, the next after complete replays', async () => {
		const first = await claim();
		expect(first).toMatchObject({
			status: 200,
			body: {
				outcome: 'execute',
				key: stepKey('order-1', 'invoice', { amount: 490 }),
				attempt: 1,
				leaseExpiresAt: '2027-03-01T10:01:00.000Z',
			},
		});
		expect(await complete(first.body.key, first.body.fencingToken, { id: 'in_1' })).toMatchObject({
			status: 200,
			body: { state: 'completed' },
		});
		expect((await claim()).body).toEqual({
			outcome: 'replay',
			key: first.body.key,
			attempt: 1,
			result: { id: 'in_1' },
			completedAt: '2027-03-01T10:00:00.000Z',
		});
	});

	test('of 50 claims at once, one executes', async () => {
		const answers = await Promise.all(Array.from({ length: 50 }, async () => await claim()));
		const outcomes = answers.map(({ body }) => body.outcome ?? body.code);
		expect(outcomes.filter((outcome) => outcome === 'execute')).toHaveLength(1);
		expect(outcomes.filter((outcome) => outcome === 'step_in_progress')).toHaveLength(49);
	});

	test('a waiting claim gets the result the moment it is there', async () => {
		const first = await claim();
		const waiting = claim({ waitMs: 30_000 });
		await complete(first.body.key, first.body.fencingToken, 'done');
		expect((await waiting).body).toMatchObject({ outcome: 'replay', result: 'done' });
	});

	test('a wait that is over is 409 with the end of the lease', async () => {
		await claim();
		const answer = await claim({ waitMs: 1 });
		expect(answer).toMatchObject({
			status: 409,
			body: {
				code: 'step_in_progress',
				leaseExpiresAt: '2027-03-01T10:01:00.000Z',
				retryAfterMs: 60_000,
			},
			headers: { 'retry-after': '60', 'content-type': expect.stringContaining('problem+json') },
		});
	});

	test('a lost answer of a claim is given again to the same claimId', async () => {
		const first = await claim({ claimId: 'c1' });
		expect((await claim({ claimId: 'c1' })).body).toEqual(first.body);
		expect((await claim({ claimId: 'c2' })).body.code).toBe('step_in_progress');
	});

	test.each([
		['null', null],
		['the text "null"', 'null'],
		['false', false],
		['an empty list', []],
		['5,000 characters', 'x'.repeat(5_000)],
		['an emoji', '😀'],
	])('a result that is %s comes back as it was', async (_, result) => {
		const { body } = await claim();
		await complete(body.key, body.fencingToken, result);
		expect((await claim()).body.result).toEqual(result);
	});

	test('no result at all is not null', async () => {
		const { body } = await claim();
		await complete(body.key, body.fencingToken, undefined);
		expect((await claim()).body).not.toHaveProperty('result');
		expect((await complete(body.key, body.fencingToken, null)).body.code).toBe('result_conflict');
	});

	test('the same complete again is harmless, another result is a conflict', async () => {
		const { body } = await claim();
		await complete(body.key, body.fencingToken, { a: 1, b: 2 });
		expect((await complete(body.key, body.fencingToken, { b: 2, a: 1 })).status).toBe(200);
		expect((await complete(body.key, body.fencingToken, { a: 2 })).body.code).toBe(
			'result_conflict',
		);
		expect((await claim()).body.result).toEqual({ a: 1, b: 2 });
	});

	test('an unknown step', async () => {
		const answer = await complete('0'.repeat(64), 1, 1);
		expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
	});
});

describe('the gap between act and complete', () => {
	test('a lease that ran out is doubt, never a second execution', async () => {
		const first = await claim({ leaseMs: 1_000 });
		api.clock.advance(1_000);
		const second = await claim();
		expect(second).toMatchObject({
			status: 409,
			body: { code: 'step_in_doubt', key: first.body.key, attempt: 1 },
		});
		expect((await claim({ onInDoubt: 'fail' })).body.code).toBe('step_in_doubt');
	});

	test('the timer puts it in doubt without any caller and wakes who waits', async () => {
		const first = await claim({ leaseMs: 1_000 });
		const waiting = claim({ waitMs: 30_000 });
		api.clock.advance(999);
		expect(await expireLeases(api.journal)).toBe(api.clock.ms + 1);
		api.clock.advance(1);
		expect(await expireLeases(api.journal)).toBeUndefined();
		expect((await waiting).body.code).toBe('step_in_doubt');
		expect((await api.call('GET', `/v1/steps/${first.body.key}`)).body).toMatchObject({
			state: 'in_doubt',
			settledBy: 'clock',
		});
	});

	test('a late complete is taken while there is no newer claim', async () => {
		const first = await claim({ leaseMs: 1_000 });
		api.clock.advance(5_000);
		await expireLeases(api.journal);
		expect((await complete(first.body.key, first.body.fencingToken, 1)).status).toBe(200);
		expect((await claim()).body.outcome).toBe('replay');
	});

	test('retry executes again under a larger token; the older holder is fenced off', async () => {
		const first = await claim({ leaseMs: 1_000 });
		api.clock.advance(1_000);
		const second = await claim({ onInDoubt: 'retry' });
		expect(second.body).toMatchObject({ outcome: 'execute', attempt: 2 });
		expect(second.body.fencingToken).toBeGreaterThan(first.body.fencingToken);
		for (const stale of [
			await complete(first.body.key, first.body.fencingToken, 1),
			await fail(first.body.key, first.body.fencingToken, { verdict: 'terminal' }),
			await api.post(`/v1/steps/${first.body.key}/renew`, {
				fencingToken: first.body.fencingToken,
				leaseMs: 1_000,
			}),
		])
			expect(stale).toMatchObject({ status: 409, body: { code: 'lease_lost' } });
	});

	test('retry ends with the memory of the receiver', async () => {
		await claim({ leaseMs: 1_000 });
		api.clock.advance(2_000);
		const answer = await claim({ onInDoubt: 'retry', receiverWindowMs: 2_000 });
		expect(answer.body.code).toBe('step_in_doubt');
	});

	test('renewing keeps a live claim alive, but not one that ran out', async () => {
		const { body } = await claim({ leaseMs: 1_000 });
		const renew = async () =>
			await api.post(`/v1/steps/${body.key}/renew`, {
				fencingToken: body.fencingToken,
				leaseMs: 1_000,
			});
		api.clock.advance(999);
		expect((await renew()).body).toEqual({ leaseExpiresAt: '2027-03-01T10:00:01.999Z' });
		api.clock.advance(1_000);
		expect((await renew()).body.code).toBe('lease_lost');
	});

	test.each([
		['completed', { as: 'completed', result: { id: 'found' } }, 'replay'],
		['failed', { as: 'failed' }, 'failed'],
		['retry', { as: 'retry' }, 'execute'],
	])('resolved as %s by a person', async (_, resolution, outcome) => {
		const first = await claim({ leaseMs: 1_000 });
		expect((await resolve(first.body.key, resolution)).body.code).toBe('step_not_resolvable');
		api.clock.advance(1_000);
		expect((await resolve(first.body.key, resolution)).status).toBe(200);
		expect((await claim()).body.outcome).toBe(outcome);
	});

	test('a complete of the old holder after "retry" is the truth, while nobody has begun again', async () => {
		const first = await claim({ leaseMs: 1_000 });
		api.clock.advance(1_000);
		await resolve(first.body.key, { as: 'retry' });
		expect((await complete(first.body.key, first.body.fencingToken, 1)).status).toBe(200);
	});

	test('resolving needs the admin key', async () => {
		const { body } = await claim();
		const answer = await api.post(`/v1/steps/${body.key}/resolve`, {
			as: 'retry',
			reason: 'r',
			by: 'b',
		});
		expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
	});
});

describe('failures', () => {
	test('retryable waits, then executes as the next attempt', async () => {
		const first = await claim();
		const failed = await fail(first.body.key, first.body.fencingToken, { verdict: 'retryable' });
		expect(failed.body).toEqual({
			state: 'waiting_retry',
			nextAttemptAt: '2027-03-01T10:00:00.500Z',
		});
		expect((await claim()).body).toMatchObject({
			code: 'step_waiting_retry',
			retryAfterMs: 500,
			nextAttemptAt: '2027-03-01T10:00:00.500Z',
		});
		api.clock.advance(500);
		expect((await claim()).body).toMatchObject({ outcome: 'execute', attempt: 2 });
	});

	test('the receiver is given the time it asks for', async () => {
		const { body } = await claim();
		await fail(body.key, body.fencingToken, { verdict: 'retryable', retryAfterMs: 120_000 });
		expect((await claim()).body.retryAfterMs).toBe(120_000);
	});

	test('attempts used up: failed; resolve leads back', async () => {
		const { body } = await claim({ retry: { maxAttempts: 1 } });
		const failed = await fail(body.key, body.fencingToken, { verdict: 'retryable' });
		expect(failed.body).toEqual({ state: 'failed' });
		await resolve(body.key, { as: 'retry' });
		expect((await claim()).body).toMatchObject({ outcome: 'execute', attempt: 2 });
	});

	test('a person who allows another attempt allows the retries that belong to it', async () => {
		const retry = { maxAttempts: 2, maxElapsedMs: 60_000 };
		const { body } = await claim({ retry });
		await fail(body.key, body.fencingToken, { verdict: 'retryable' });
		api.clock.advance(86_400_000);
		const late = await claim({ retry });
		expect(
			(await fail(body.key, late.body.fencingToken, { verdict: 'retryable' })).body.state,
		).toBe('failed');
		await resolve(body.key, { as: 'retry' });
		const third = await claim({ retry });
		expect(third.body.attempt).toBe(3);
		expect(
			(await fail(body.key, third.body.fencingToken, { verdict: 'retryable' })).body.state,
		).toBe('waiting_retry');
	});

	test('terminal: stored for its execution, a new attempt for another', async () => {
		const seven = { meta: { executionId: '7' } };
		const { body } = await claim(seven);
		await fail(body.key, body.fencingToken, {
			verdict: 'terminal',
			error: { message: 'bad schema', status: 400 },
		});
		for (const again of [await claim(seven), await claim()])
			expect(again.body).toMatchObject({
				outcome: 'failed',
				error: { message: 'bad schema', status: 400 },
			});
		expect((await claim({ meta: { executionId: '8' } })).body).toMatchObject({
			outcome: 'execute',
			attempt: 2,
		});
	});

	test('the same report again is harmless', async () => {
		const { body } = await claim();
		const report = { verdict: 'retryable' };
		const first = await fail(body.key, body.fencingToken, report);
		expect(await fail(body.key, body.fencingToken, report)).toMatchObject({
			status: 200,
			body: first.body,
		});
	});

	test('doubt reported by the holder is doubt', async () => {
		const { body } = await claim();
		await fail(body.key, body.fencingToken, { verdict: 'in_doubt' });
		expect((await claim()).body.code).toBe('step_in_doubt');
	});
});

describe('the same work, not another', () => {
	test('an own key with another input is refused on every path, with the fields that changed', async () => {
		const own = { idempotencyKey: 'INV-7' };
		const first = await claim(own);
		for (const state of ['claimed', 'completed']) {
			if (state === 'completed') await complete(first.body.key, first.body.fencingToken, 1);
			const answer = await claim({ ...own, input: { amount: 491, extra: true } });
			expect(answer).toMatchObject({
				status: 422,
				body: { code: 'idempotency_key_reused', changed: ['/amount', '/extra'] },
			});
		}
		expect((await claim(own)).body.outcome).toBe('replay');
	});

	test('a place that asks with another input is stopped: unsettled, then changed', async () => {
		const slot = 'wf/node#0.0';
		const first = await claim({ slot, input: { amount: 490, at: '10:00' } });
		const changed = { slot, input: { amount: 490, at: '10:01' } };
		expect(await claim({ ...changed, onInputChange: 'run' })).toMatchObject({
			status: 409,
			body: { code: 'step_unsettled', previousKey: first.body.key, changed: ['/at'] },
		});
		await complete(first.body.key, first.body.fencingToken, 1);
		expect((await claim(changed)).body).toMatchObject({
			code: 'step_input_changed',
			previousKey: first.body.key,
			changed: ['/at'],
		});
		expect((await claim({ ...changed, onInputChange: 'run' })).body.outcome).toBe('execute');
	});

	test('a known key wins over its slot; without a slot nothing is compared', async () => {
		const first = await claim({ slot: 'a' });
		await complete(first.body.key, first.body.fencingToken, 1);
		expect((await claim({ slot: 'b' })).body.outcome).toBe('replay');
		expect((await claim({ input: 2 })).body.outcome).toBe('execute');
	});
});

describe('many at once', () => {
	test('claims in order, a bad one alone, a repeat points at the first', async () => {
		const answer = await api.post('/v1/steps/claim-many', {
			steps: [INVOICE, { ...INVOICE, input: 1e300 }, INVOICE, { ...INVOICE, step: 'mail' }],
		});
		const results = answer.body.results.map(
			(result: { status: number; body: { code?: string; outcome?: string; sameAs?: number } }) => [
				result.status,
				result.body.outcome ?? result.body.code,
				result.body.sameAs,
			],
		);
		expect(results).toEqual([
			[200, 'execute', undefined],
			[400, 'invalid_request', undefined],
			[409, 'step_in_progress', 0],
			[200, 'execute', undefined],
		]);
	});

	test('another input under the same own key is refused, not taken for a repeat', async () => {
		const own = { ...INVOICE, idempotencyKey: 'order-1' };
		const answer = await api.post('/v1/steps/claim-many', {
			steps: [own, { ...own, input: { other: true } }, own],
		});
		expect(answer.body.results).toMatchObject([
			{ status: 200, body: { outcome: 'execute' } },
			{ status: 422, body: { code: 'idempotency_key_reused' } },
			{ status: 409, body: { code: 'step_in_progress', sameAs: 0 } },
		]);
	});

	test('completes in order', async () => {
		const claims = await api.post('/v1/steps/claim-many', {
			steps: [INVOICE, { ...INVOICE, step: 'mail' }],
		});
		const steps = claims.body.results.map(
			({ body }: { body: { key: string; fencingToken: number } }, index: number) => ({
				key: body.key,
				fencingToken: body.fencingToken + index,
				result: index,
			}),
		);
		const answer = await api.post('/v1/steps/complete-many', { steps });
		expect(answer.body.results).toMatchObject([
			{ status: 200, body: { state: 'completed' } },
			{ status: 409, body: { code: 'lease_lost' } },
		]);
	});

	test('one that is no claim or complete at all is refused alone', async () => {
		const { step: _, ...nameless } = INVOICE;
		const claims = await api.post('/v1/steps/claim-many', {
			steps: [nameless, INVOICE, { ...INVOICE, waitMs: 1 }, 'text', INVOICE],
		});
		expect(claims).toMatchObject({
			status: 200,
			body: {
				results: [
					{ status: 400, body: { code: 'invalid_request', errors: [{ pointer: '/step' }] } },
					{ status: 200, body: { outcome: 'execute' } },
					{ status: 400, body: { code: 'invalid_request', errors: [{ pointer: '/waitMs' }] } },
					{ status: 400, body: { code: 'invalid_request', errors: [{ pointer: '' }] } },
					{ status: 409, body: { code: 'step_in_progress', sameAs: 1 } },
				],
			},
		});
		const { key, fencingToken } = claims.body.results[1].body;
		const completes = await api.post('/v1/steps/complete-many', {
			steps: [
				{ key: 'no key', fencingToken },
				{ key, fencingToken, result: 1 },
			],
		});
		expect(completes.body.results).toMatchObject([
			{ status: 400, body: { code: 'invalid_request', errors: [{ pointer: '/key' }] } },
			{ status: 200, body: { state: 'completed' } },
		]);
	});

	test.each([{}, { steps: [] }, { steps: [INVOICE], typo: 1 }, { steps: INVOICE }, []])(
		'a call that is wrong itself is refused as a whole: %j',
		async (body) => {
			expect(await api.post('/v1/steps/claim-many', body)).toMatchObject({
				status: 400,
				body: { code: 'invalid_request' },
			});
		},
	);

	test('501 are too many', async () => {
		const steps = Array.from({ length: 501 }, () => INVOICE);
		expect((await api.post('/v1/steps/claim-many', { steps })).status).toBe(400);
	});
});

describe('what is refused as a request', () => {
	test.each([
		['an unknown member', { typo: 1 }, '/typo'],
		['a wrong type', { leaseMs: '1000' }, '/leaseMs'],
		['a lease that is too short', { leaseMs: 99 }, '/leaseMs'],
		['a control character', { step: 'a\nb' }, '/step'],
		['an empty name', { runId: '' }, '/runId'],
		['a name that is too long', { runId: 'x'.repeat(257) }, '/runId'],
		['an integer that JavaScript cannot hold', { input: { n: 2 ** 53 } }, '/input/n'],
		['a lone surrogate in a name', { runId: '\ud800' }, '/runId'],
	])('%s', async (_, members, pointer) => {
		const answer = await claim(members);
		expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
		expect(answer.body.errors[0].pointer).toBe(pointer);
	});

	test.each([
		['no input', JSON.stringify({ runId: 'r', step: 's' })],
		['broken JSON', '{"runId":'],
		['an empty body', ''],
		['a number that overflows', '{"runId":"r","step":"s","input":1e400}'],
	])('%s', async (_, text) => {
		const answer = await api.call('POST', '/v1/steps/claim', text);
		expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
	});

	test('a body without end of nesting', async () => {
		const deep = '['.repeat(100_000) + ']'.repeat(100_000);
		const { body } = await claim();
		for (const [path, text] of [
			['/v1/steps/claim', `{"runId":"r","step":"s","input":${deep}}`],
			[`/v1/steps/${body.key}/complete`, `{"fencingToken":1,"result":${deep}}`],
		] as const) {
			const answer = await api.call('POST', path, text);
			expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
			expect(answer.body.errors[0].detail).toMatch(/nested deeper/);
		}
	});

	test('members of any name are data, in the input and in the result', async () => {
		const odd = '{"__proto__":{"a":1},"constructor":{"prototype":2}}';
		const claimOdd = async () =>
			await api.call('POST', '/v1/steps/claim', `{"runId":"r","step":"s","input":${odd}}`);
		const first = await claimOdd();
		expect(first.body.key).toBe(stepKey('r', 's', JSON.parse(odd)));
		await api.call(
			'POST',
			`/v1/steps/${first.body.key}/complete`,
			`{"fencingToken":1,"result":${odd}}`,
		);
		const replay = await claimOdd();
		expect(replay.body.outcome).toBe('replay');
		expect(JSON.stringify(replay.body.result)).toBe(odd);
	});

	test('input null is an input', async () => {
		expect((await claim({ input: null })).body.outcome).toBe('execute');
	});

	test('over 16 MiB', async () => {
		const answer = await claim({ input: 'x'.repeat(16 * 1024 * 1024) });
		expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
	});

	test('over 16 MiB, to a client that is still sending: the connection stays open for the rest', async () => {
		const { port } = new URL(await api.server.listen({ host: '127.0.0.1', port: 0 }));
		const socket = connect(Number(port), '127.0.0.1').setEncoding('latin1');
		let received = '';
		socket.on('data', (text) => (received += text));
		const length = 17 * 1024 * 1024;
		socket.write(
			`POST /v1/steps/claim HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${API_KEY}\r\n` +
				`Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
		);
		await waitUntil('the refusal', async () => received.includes('"payload_too_large"'));
		socket.write('x'.repeat(length));
		socket.end('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
		await once(socket, 'close');
		expect(received).toContain('{"status":"ok"}');
	});

	test.each([null, 'wrong'])('key %s', async (key) => {
		const answer = await api.call('POST', '/v1/steps/claim', INVOICE, key);
		expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
	});
});
