/** A deadline decides when it passes, however late its timer runs: whoever comes before the timer finds it decided. */
import { fireTimers } from '../../../service/journal/fire-timers';
import { recordWakeUp, takeDueWakeUps } from '../../../service/journal/wake-up';
import { openApi, type Api } from '../../api';

let api: Api;
beforeEach(async () => {
	api = await openApi();
});
afterEach(async () => await api.close());

type Members = Record<string, unknown>;
const RUN = 'order-1';
const open = async (gate: string, members: Members = {}) =>
	await api.post('/v1/gates', { runId: RUN, gate, input: 1, title: gate, message: '', ...members });
const opened = async (gate: string, members: Members = {}) =>
	(await open(gate, members)).body.gateId as string;
const gateOf = async (gateId: string) => (await api.call('GET', `/v1/gates/${gateId}`)).body;
const claim = async (members: Members = {}) =>
	await api.post('/v1/steps/claim', { runId: RUN, step: 's', input: 1, ...members });
const onRun = async (verb: string, body: Members) =>
	await api.admin('POST', `/v1/runs/${RUN}/${verb}`, { by: 'ann', reason: 'mistake', ...body });
const decide = async (gateId: string) =>
	await api.admin('POST', `/v1/gates/${gateId}/decide`, { decision: 'reject', by: 'ann' });
const auditTypes = async () =>
	((await api.admin('GET', `/v1/audit?runId=${RUN}`)).body as string)
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line).type);
const hours = (count: number) => ({ deadline: { in: `PT${count}H` } });
/** The journal is down: time passes, and no timer runs. */
const down = (count: number) => api.clock.advance(count * 3_600_000);

const RESUME = { resumeUrl: 'http://127.0.0.1:5678/webhook-waiting/7/durable-gate?signature=s' };
const APPROVED = { state: 'approved', decision: { decision: 'approve', via: 'deadline' } };
const EXPIRED = { state: 'expired', decision: { decision: 'reject', via: 'deadline' } };
const CANCELLED = { state: 'cancelled', decision: null };

type Act = (gateId: string) => Promise<unknown>;
const ACTS: Array<[string, Act]> = [
	['another gate takes its place', async () => await open('later', { slot: 'a' })],
	['it is opened again', async () => await open('asked', { slot: 'a' })],
	['another gate of the run is opened', async () => await open('other', { slot: 'b' })],
	['a person decides it', decide],
	['the run is cancelled', async () => await onRun('cancel', {})],
	['the run completes', async () => await onRun('settle', { as: 'completed' })],
	['the run fails', async () => await onRun('settle', { as: 'failed' })],
	['a step behind it is claimed', async (gateId) => await claim({ gateId })],
	['its timer fires', async () => await fireTimers(api.journal)],
];

describe.each(ACTS)('%s', (_, act) => {
	test.each([
		['approve', APPROVED],
		['reject', EXPIRED],
		['abort', EXPIRED],
	])('its deadline has decided before: %s', async (onDeadline, decided) => {
		const gateId = await opened('asked', { slot: 'a', ...hours(1), onDeadline });
		down(2);
		await act(gateId);
		expect(await gateOf(gateId)).toMatchObject(decided);
		expect(await fireTimers(api.journal)).toBeUndefined();
		expect((await auditTypes()).filter((type) => type === 'gate.decided')).toHaveLength(1);
	});

	test('of several the deadlines decide in their order, up to the one that ends the run', async () => {
		const last = await opened('last', { ...hours(3), onDeadline: 'approve' });
		const abort = await opened('asked', { slot: 'a', ...hours(2), onDeadline: 'abort' });
		const first = await opened('first', { ...hours(1), onDeadline: 'approve' });
		down(4);
		await act(abort);
		expect(await gateOf(first)).toMatchObject(APPROVED);
		expect(await gateOf(abort)).toMatchObject(EXPIRED);
		expect(await gateOf(last)).toMatchObject(CANCELLED);
		expect(await claim()).toMatchObject({ status: 409, body: { code: 'run_cancelled' } });
		expect((await auditTypes()).filter((type) => type === 'run.cancelled')).toHaveLength(1);
	});
});

test('opened again, the answer says what the deadline decided, and who waits is woken', async () => {
	await open('asked', hours(1));
	down(2);
	expect(await open('asked', { ...hours(1), ...RESUME })).toMatchObject({
		status: 200,
		body: EXPIRED,
	});
	expect(await takeDueWakeUps(api.journal, 8)).toHaveLength(1);
});

test('a step is claimed behind a gate whose deadline approved it', async () => {
	const gateId = await opened('asked', { ...hours(1), onDeadline: 'approve', ...RESUME });
	expect((await claim({ gateId })).body.code).toBe('gate_not_approved');
	down(2);
	expect((await claim({ gateId })).body.outcome).toBe('execute');
	expect(await takeDueWakeUps(api.journal, 8)).toHaveLength(1);
});

test('a run whose gate has expired is erased once nobody waits for it', async () => {
	const erase = async () => (await api.admin('DELETE', `/v1/runs/${RUN}`)).status;
	const gateId = await opened('asked', { ...hours(1), ...RESUME });
	down(2);
	expect(await erase()).toBe(409);
	expect(await gateOf(gateId)).toMatchObject(EXPIRED);
	const [wakeUp] = await takeDueWakeUps(api.journal, 8);
	await recordWakeUp(api.journal, wakeUp!.waiter, { reply: 'resumed', status: 200 });
	expect(await erase()).toBe(204);
});

test.each(['cancel', 'settle', 'reopen'])('%s of a run that a deadline has ended', async (verb) => {
	await open('asked', { ...hours(1), onDeadline: 'abort' });
	down(2);
	const answer = await onRun(verb, verb === 'settle' ? { as: 'failed' } : {});
	expect(answer.status).toBe(verb === 'cancel' ? 200 : 409);
	const { body } = await api.call('GET', `/v1/runs/${RUN}`);
	expect(body).toMatchObject({ state: 'cancelled', cancelled: { by: 'deadline' } });
});

test('a gate that waits beyond its deadline is closed by whatever closes open gates', async () => {
	const gateId = await opened('asked', { ...hours(1), onDeadline: 'wait' });
	down(2);
	await onRun('cancel', {});
	expect(await gateOf(gateId)).toMatchObject(CANCELLED);
});

test('reading decides nothing', async () => {
	const gateId = await opened('asked', hours(1));
	down(2);
	expect(await gateOf(gateId)).toMatchObject({ state: 'open', decision: null });
	await fireTimers(api.journal);
	expect(await gateOf(gateId)).toMatchObject(EXPIRED);
});
