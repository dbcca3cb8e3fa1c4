/** A claim whose answer was lost is asked again under the same claimId: its caller has not begun. */
import { expireLeases } from '../../../service/journal/expire-leases';
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
			leaseMs: 1_000,
			...members,
		})
	).body;
const mine = { claimId: 'mine' };
const report = async (key: string, verb: string, body: Members) =>
	(await api.post(`/v1/steps/${key}/${verb}`, { fencingToken: 1, ...body })).body;
const stateOf = async (key: string) => (await api.call('GET', `/v1/steps/${key}`)).body.state;
const auditTypes = async () =>
	((await api.admin('GET', '/v1/audit?runId=r')).body as string)
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line).type);

test('while the lease lives: the first answer, with the whole lease from now', async () => {
	const first = await claim(mine);
	api.clock.advance(900);
	expect(await claim(mine)).toEqual({ ...first, leaseExpiresAt: '2027-03-01T10:00:01.900Z' });
});

test('a shorter lease than the one it has is not taken', async () => {
	const first = await claim(mine);
	expect(await claim({ ...mine, leaseMs: 100 })).toEqual(first);
});

test.each([
	['nobody has noticed', async () => {}],
	['the timer has noticed', async () => await expireLeases(api.journal)],
	['another caller has been refused', async () => await claim()],
])('the lease ran out and %s: the first answer, with a lease that lives', async (_, notice) => {
	const first = await claim(mine);
	api.clock.advance(5_000);
	await notice();
	const again = await claim(mine);
	expect(again).toEqual({ ...first, leaseExpiresAt: '2027-03-01T10:00:06.000Z' });
	expect((await claim({ claimId: 'other', onInDoubt: 'retry' })).code).toBe('step_in_progress');
	expect(await report(again.key, 'renew', { leaseMs: 1_000 })).toHaveProperty('leaseExpiresAt');
	expect(await report(again.key, 'complete', { result: 1 })).toEqual({ state: 'completed' });
});

test('a recorded doubt that was none is followed by the claim in the audit', async () => {
	await claim(mine);
	api.clock.advance(1_000);
	await expireLeases(api.journal);
	await claim(mine);
	expect(await auditTypes()).toEqual([
		'run.started',
		'step.claimed',
		'step.in_doubt',
		'step.claimed',
	]);
});

test('a clock that was ahead when the doubt was noted and is set back', async () => {
	const first = await claim(mine);
	api.clock.advance(1_000);
	await expireLeases(api.journal);
	api.clock.advance(-900);
	expect(await claim({ ...mine, leaseMs: 100 })).toEqual(first);
	expect(await stateOf(first.key)).toBe('claimed');
});

test('the question whether it happened is withdrawn, and put again when the lease runs out again', async () => {
	await claim(mine);
	api.clock.advance(1_000);
	const asked = await claim({ onInDoubt: 'ask' });
	await claim(mine);
	const gate = async (id: string) => (await api.call('GET', `/v1/gates/${id}`)).body.state;
	expect(await gate(asked.gateId)).toBe('cancelled');
	api.clock.advance(1_000);
	const askedAgain = await claim({ onInDoubt: 'ask' });
	expect(askedAgain.gateId).not.toBe(asked.gateId);
	expect(await gate(askedAgain.gateId)).toBe('open');
});

describe('it is not its first answer any more', () => {
	test('when another claim has taken over: its token is fenced off', async () => {
		const { key } = await claim(mine);
		api.clock.advance(1_000);
		expect(await claim({ claimId: 'other', onInDoubt: 'retry' })).toMatchObject({ attempt: 2 });
		expect((await claim(mine)).code).toBe('step_in_progress');
		expect((await report(key, 'complete', { result: 1 })).code).toBe('lease_lost');
	});

	test.each([
		['retry', { outcome: 'execute', attempt: 2 }],
		['failed', { outcome: 'failed' }],
		['completed', { outcome: 'replay' }],
	])('when a person has settled it as %s', async (as, answer) => {
		const { key } = await claim(mine);
		api.clock.advance(1_000);
		await api.admin('POST', `/v1/steps/${key}/resolve`, { as, by: 'ann', reason: 'looked' });
		expect(await claim(mine)).toMatchObject(answer);
	});

	test('when its holder has reported: it had begun', async () => {
		const { key } = await claim(mine);
		await report(key, 'fail', { error: { message: 'timed out' }, verdict: 'in_doubt' });
		expect((await claim(mine)).code).toBe('step_in_doubt');
		expect(await stateOf(key)).toBe('in_doubt');
	});
});
