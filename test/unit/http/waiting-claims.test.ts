/**
 * A claim with `waitMs` is answered the moment it can be. Each test would end in a time-out if the
 * waiter slept for as long as it may.
 */
import { expireLeases } from '../../../service/journal/expire-leases';
import { fireTimers } from '../../../service/journal/fire-timers';
import { openApi, type Answer, type Api } from '../../api';
import { WatchedSignals } from '../../watched-signals';

// Shorter than the waiters may sleep.
jest.setTimeout(15_000);

let api: Api;
let signals: WatchedSignals;
beforeEach(async () => {
	signals = new WatchedSignals();
	api = await openApi({ signals });
});
afterEach(async () => await api.close());

type Members = Record<string, unknown>;
const RUN = 'order 1';
const claim = async (members: Members = {}) =>
	await api.post('/v1/steps/claim', { runId: RUN, step: 's', input: 1, ...members });
const report = async (key: string, verb: string, body: Members) =>
	await api.post(`/v1/steps/${key}/${verb}`, { fencingToken: 1, ...body });
const fail = async (key: string, verdict: string) =>
	await report(key, 'fail', { error: { message: 'm' }, verdict });
const resolve = async (key: string, as: string) =>
	await api.admin('POST', `/v1/steps/${key}/resolve`, { as, by: 'ann', reason: 'r', result: 2 });
const onRun = async (method: string, verb: string, body?: Members) =>
	await api.admin(method, `/v1/runs/${encodeURIComponent(RUN)}${verb}`, body);
const open = async (gate: string, members: Members = {}) =>
	await api.post('/v1/gates', { runId: RUN, gate, input: 1, title: 't', message: '', ...members });
const decide = async (gateId: string) =>
	await api.admin('POST', `/v1/gates/${gateId}/decide`, { decision: 'approve', by: 'ann' });

/** Claims it, lets others ask for it as well, and goes on when they sleep. */
async function withWaiters(count: number, members: Members = {}) {
	const { key } = (await claim()).body;
	const answers: Answer[] = [];
	const waiting = Array.from({ length: count }, async () => {
		const answer = await claim({ waitMs: 30_000, ...members });
		answers.push(answer);
		return answer;
	});
	await signals.untilAsleep(count);
	return { key: key as string, waiting, answers };
}

test.each<[string, Members, (key: string) => Promise<unknown>]>([
	['completed', { outcome: 'replay', result: 1 }, (key) => report(key, 'complete', { result: 1 })],
	[
		'completed among many',
		{ outcome: 'replay', result: 1 },
		(key) => api.post('/v1/steps/complete-many', { steps: [{ key, fencingToken: 1, result: 1 }] }),
	],
	['failed for good', { outcome: 'failed' }, (key) => fail(key, 'terminal')],
	['failed for now', { code: 'step_waiting_retry' }, (key) => fail(key, 'retryable')],
	['reported as in doubt', { code: 'step_in_doubt' }, (key) => fail(key, 'in_doubt')],
	[
		'in doubt since its lease ran out',
		{ code: 'step_in_doubt' },
		async () => {
			api.clock.advance(60_000);
			await expireLeases(api.journal);
		},
	],
	[
		'resolved by a person before anybody saw that its lease ran out',
		{ outcome: 'replay', result: 2 },
		async (key) => {
			api.clock.advance(60_000);
			await resolve(key, 'completed');
		},
	],
	[
		'cancelled with its run',
		{ code: 'run_cancelled' },
		() => onRun('POST', '/cancel', { by: 'ann', reason: 'r' }),
	],
	['erased with its run', { code: 'run_erased' }, () => onRun('DELETE', '')],
	[
		'cancelled with its run by a deadline, when the timer fires',
		{ code: 'run_cancelled' },
		async () => {
			await open('g', { deadline: { in: 'PT1S' }, onDeadline: 'abort' });
			api.clock.advance(1_000);
			await fireTimers(api.journal);
		},
	],
	...(
		[
			['a gate is opened', () => open('other')],
			['a step behind a gate is claimed', (gateId) => claim({ step: 'other', gateId })],
			['a gate is decided', (gateId) => decide(gateId)],
			['the run fails', () => onRun('POST', '/settle', { as: 'failed', by: 'ann' })],
			['the run is reopened', () => onRun('POST', '/reopen', { by: 'ann', reason: 'r' })],
		] as Array<[string, (gateId: string) => Promise<unknown>]>
	).map(([when, act]): [string, Members, (key: string) => Promise<unknown>] => [
		`cancelled with its run by a deadline, before the timer fires, when ${when}`,
		{ code: 'run_cancelled' },
		async () => {
			const { gateId } = (await open('g', { deadline: { in: 'PT1S' }, onDeadline: 'abort' })).body;
			api.clock.advance(1_000);
			await act(gateId);
		},
	]),
])('a waiter hears at once that the step is %s', async (_, expected, settle) => {
	const { key, waiting } = await withWaiters(1);
	await settle(key);
	expect((await waiting[0]!).body).toMatchObject(expected);
});

test('of many waiters exactly one executes; the others go on waiting, and get its result', async () => {
	const { key, waiting, answers } = await withWaiters(20, { onInDoubt: 'retry' });
	api.clock.advance(60_000);
	await expireLeases(api.journal);
	await signals.untilSlept(20 + 19);
	expect(answers.map(({ body }) => body)).toMatchObject([{ outcome: 'execute', attempt: 2 }]);
	await report(key, 'complete', { fencingToken: 2, result: 'once' });
	const outcomes = (await Promise.all(waiting)).map(({ body }) => body.outcome);
	expect(outcomes.filter((outcome) => outcome === 'execute')).toHaveLength(1);
	expect(outcomes.filter((outcome) => outcome === 'replay')).toHaveLength(19);
});

test('a signal that is about nothing leaves the waiter waiting', async () => {
	const { key, waiting, answers } = await withWaiters(1);
	await report(key, 'complete', { fencingToken: 7, result: 'stale' });
	await signals.untilSlept(2);
	expect(answers).toEqual([]);
	await report(key, 'complete', { result: 'done' });
	expect((await waiting[0]!).body).toMatchObject({ outcome: 'replay', result: 'done' });
});

test('waiters of another run sleep on', async () => {
	const { key, waiting, answers } = await withWaiters(1);
	await api.admin('POST', '/v1/runs/other/cancel', { by: 'ann', reason: 'r' });
	await api.admin('DELETE', '/v1/runs/other');
	expect({ answers, sleeps: signals.sleeps }).toEqual({ answers: [], sleeps: 1 });
	await report(key, 'complete', { result: 1 });
	await waiting[0];
});

describe('people are asked about a doubt', () => {
	const ask = (executionId: string, members: Members = {}) =>
		claim({ onInDoubt: 'ask', meta: { executionId }, ...members });
	const answer = async (gateId: string, decision: string) =>
		await api.admin('POST', `/v1/gates/${gateId}/decide`, { decision, by: 'ann', edits: 5 });

	/** A retry and a second one that wait for the answer about what a killed execution had begun. */
	async function withAsking() {
		await ask('killed');
		api.clock.advance(60_000);
		const { gateId } = (await ask('retry')).body;
		const waiting = ['retry', 'second'].map((id) => ask(id, { waitMs: 30_000 }));
		await signals.untilAsleep(2);
		return { gateId: gateId as string, waiting };
	}

	test('it happened: both have the result at once', async () => {
		const { gateId, waiting } = await withAsking();
		await answer(gateId, 'happened');
		for (const { body } of await Promise.all(waiting))
			expect(body).toMatchObject({ outcome: 'replay', result: 5 });
	});

	test('it did not: one of them executes it', async () => {
		const { gateId, waiting } = await withAsking();
		await answer(gateId, 'not_happened');
		const first = await Promise.race(waiting);
		expect(first.body).toMatchObject({ outcome: 'execute', attempt: 2 });
		await api.post(`/v1/steps/${first.body.key}/complete`, { fencingToken: 2, result: 6 });
		const outcomes = (await Promise.all(waiting)).map(({ body }) => body.outcome);
		expect(outcomes.toSorted()).toEqual(['execute', 'replay']);
	});

	test('stop: it has failed for both, and for whoever comes later, until a person says otherwise', async () => {
		const { gateId, waiting } = await withAsking();
		await answer(gateId, 'stop');
		const later = ask('later');
		for (const { body } of await Promise.all([...waiting, later]))
			expect(body).toMatchObject({ outcome: 'failed', error: { code: 'resolved_failed' } });
		await resolve((await later).body.key, 'retry');
		expect((await ask('later')).body).toMatchObject({ outcome: 'execute', attempt: 2 });
	});
});
