/** How attempts and time are counted over reports, people and other executions. */
import { openApi, type Api } from '../../api';

let api: Api;
beforeEach(async () => {
	api = await openApi();
});
afterEach(async () => await api.close());

type Members = Record<string, unknown>;
const claim = async (members: Members = {}) =>
	(
		await api.post('/v1/steps/claim', {
			runId: 'r',
			step: 's',
			input: 1,
			retry: { maxAttempts: 2 },
			meta: { executionId: '7' },
			...members,
		})
	).body;
const fail = async ({ key, fencingToken }: { key: string; fencingToken: number }, members = {}) =>
	(
		await api.post(`/v1/steps/${key}/fail`, {
			fencingToken,
			error: { message: 'busy' },
			verdict: 'retryable',
			...members,
		})
	).body;
/** Tries until it is refused; how many attempts that were. */
async function attempts(members: Members = {}): Promise<number> {
	for (let count = 0; ;) {
		const answer = await claim(members);
		if (answer.outcome !== 'execute') return count;
		count += 1;
		const { nextAttemptAt } = await fail(answer);
		if (nextAttemptAt) api.clock.advance(Date.parse(nextAttemptAt) - api.clock.ms);
	}
}

test('as many attempts as the claim allows, then the failure stands for that execution', async () => {
	expect(await attempts()).toBe(2);
	expect(await claim()).toMatchObject({ outcome: 'failed', attempt: 2 });
});

test('another execution has as many again, each once', async () => {
	expect(await attempts()).toBe(2);
	const other = { meta: { executionId: '8' } };
	expect(await attempts(other)).toBe(2);
	expect(await attempts(other)).toBe(0);
});

test('an early claim is told when, changes nothing and uses nothing up', async () => {
	const { nextAttemptAt } = await fail(await claim(), { retryAfterMs: 10_000 });
	for (let early = 0; early < 5; early++) {
		expect(await claim()).toMatchObject({ code: 'step_waiting_retry', attempt: 1, nextAttemptAt });
		api.clock.advance(1_000);
	}
	api.clock.advance(5_000);
	expect(await claim()).toMatchObject({ outcome: 'execute', attempt: 2 });
});

test('an attempt whose outcome nobody knows counts as one', async () => {
	await claim({ leaseMs: 1_000 });
	api.clock.advance(1_000);
	const second = await claim({ onInDoubt: 'retry' });
	expect(second).toMatchObject({ outcome: 'execute', attempt: 2 });
	expect((await fail(second)).state).toBe('failed');
});

test.each([
	[0, '2027-03-01T10:00:00.500Z'],
	[2_000, '2027-03-01T10:00:02.000Z'],
	[86_400_000, '2027-03-02T10:00:00.000Z'],
	[86_400_001, '2027-03-02T10:00:00.000Z'],
	[Number.MAX_SAFE_INTEGER, '2027-03-02T10:00:00.000Z'],
])(
	'a receiver that asks for %i ms is obeyed, for up to a day',
	async (retryAfterMs, nextAttemptAt) => {
		const retry = { maxElapsedMs: 2_592_000_000 };
		expect(await fail(await claim({ retry }), { retryAfterMs })).toEqual({
			state: 'waiting_retry',
			nextAttemptAt,
		});
	},
);

test.each([-1, 0.5, '7', null])('%j is no time to wait', async (retryAfterMs) => {
	expect(await fail(await claim(), { retryAfterMs })).toMatchObject({
		code: 'invalid_request',
		errors: [{ pointer: '/retryAfterMs' }],
	});
});

test('a wait beyond the total time is no wait: the step has failed', async () => {
	const first = await claim({ retry: { maxElapsedMs: 60_000 } });
	expect(await fail(first, { retryAfterMs: 60_001 })).toEqual({ state: 'failed' });
});
