/** Reminders, and a gate that is passed on to others when its deadline has passed. */
import { fireTimers } from '../../../service/journal/fire-timers';
import type { Deliver, OutboxMessage } from '../../../service/journal/outbox-message';
import { decideGate } from '../../../service/journal/decide-gate';
import { findGateByToken } from '../../../service/journal/find-gate-by-token';
import { sendDueMessages } from '../../../service/workers/outbox';
import { openApi, type Api } from '../../api';

let api: Api;
const sent: OutboxMessage[] = [];
beforeEach(async () => {
	api = await openApi();
	sent.length = 0;
});
afterEach(async () => await api.close());

const HOUR = 3_600_000;
const log = { info() {}, warn() {}, error() {} };
const ANN = { name: 'Ann', telegramId: 1 };
const BEN = { name: 'Ben', telegramId: 2 };
const CID = { name: 'Cid', telegramId: 3 };
const open = async (members: object = {}) => {
	const { status, body } = await api.post('/v1/gates', {
		runId: 'order-1',
		gate: 'pay',
		input: 1,
		title: 'Pay?',
		message: '',
		channels: ['telegram'],
		approvers: [ANN, BEN],
		deadline: { in: 'PT10H' },
		...members,
	});
	expect(status).toBe(201);
	return body.gateId as string;
};
const read = async (gateId: string) => (await api.call('GET', `/v1/gates/${gateId}`)).body;
const press = async (gateId: string, telegramId: number, decision: 'approve' | 'reject') =>
	await decideGate(api.journal, {
		gateId,
		decision,
		claimant: { via: 'telegram', telegramId, name: 'x' },
	}).then(
		(gate) => gate.state,
		(error) => (error.members.refusedBecause ?? error.code) as string,
	);
let deliverable = true;
const deliver: Deliver = async (message) => {
	if (!deliverable) return { kind: 'again', code: 'down', retryAfterMs: 30 * HOUR };
	sent.push(message);
	return { kind: 'sent', messageId: `m${sent.length}`, target: message.target };
};
beforeEach(() => {
	deliverable = true;
});
/** Sends what is owed. @returns to whom, and what */
const send = async () => {
	sent.length = 0;
	const send = async () =>
		await sendDueMessages(api.journal, deliver, log, new AbortController().signal);
	// What follows a message that was dropped has its turn after it.
	for (let dueAt = await send(); dueAt !== undefined && dueAt <= api.clock.now();)
		dueAt = await send();
	return sent.map(({ kind, target }) => `${kind} ${target.to}`).toSorted();
};
/** Time passes, and the timers with it. */
const pass = async (hours: number) => {
	api.clock.advance(hours * HOUR);
	await fireTimers(api.journal);
	return await send();
};
const events = async (type: string) =>
	((await api.admin('GET', '/v1/audit?runId=order-1')).body as string)
		.split('\n')
		.filter((line) => line.includes(`"${type}"`)).length;
const escalation = {
	onDeadline: 'escalate',
	escalateTo: { approvers: [CID], in: 'PT2H', then: 'reject' },
};

test('those who have not decided are reminded, as often as was asked', async () => {
	const gateId = await open({ reminders: ['50%', 'PT1H'], quorum: 2 });
	await send();
	expect(await pass(4)).toEqual([]);
	expect(await pass(1)).toEqual(['reminder 1', 'reminder 2']);
	await press(gateId, 1, 'approve');
	expect(await send()).toEqual(['update 1', 'update 2']);
	expect(await pass(4)).toEqual(['reminder 2']);
	expect(await pass(1)).toEqual(['outcome 1', 'outcome 2']);
	expect(await pass(50)).toEqual([]);
	expect(await events('gate.reminded')).toBe(2);
});

test('a gate that waits for ever reminds every day', async () => {
	const gateId = await open({ deadline: undefined, reminders: ['R/P1D'] });
	await send();
	for (let day = 0; day < 3; day++) expect(await pass(24)).toEqual(['reminder 1', 'reminder 2']);
	expect(await pass(80)).toEqual(['reminder 1', 'reminder 2']);
	await press(gateId, 1, 'approve');
	expect(await pass(24)).toEqual(['outcome 1', 'outcome 2']);
	expect(await pass(24)).toEqual([]);
});

test('a decided gate reminds nobody, also when the reminder was owed already', async () => {
	const gateId = await open({ reminders: ['50%'] });
	await send();
	api.clock.advance(6 * HOUR);
	await fireTimers(api.journal);
	await press(gateId, 1, 'approve');
	expect(await send()).toEqual(['outcome 1', 'outcome 2']);
});

test('at the deadline others are asked, and they alone decide, in a time of their own', async () => {
	const gateId = await open(escalation);
	await send();
	api.clock.advance(10 * HOUR + 600_000);
	await fireTimers(api.journal);
	expect(await send()).toEqual(['gate 3', 'update 1', 'update 2']);
	expect(sent.map(({ kind, answerable }) => [kind, answerable])).toEqual(
		expect.arrayContaining([
			['gate', true],
			['update', false],
		]),
	);
	const passedOn = await read(gateId);
	expect(passedOn).toMatchObject({ state: 'open', approvers: ['Cid'] });
	// Late timers take nothing from the time that the others have.
	expect(passedOn.escalatedAt).toBe('2027-03-01T20:10:00.000Z');
	expect(passedOn.deadline).toBe('2027-03-01T22:10:00.000Z');
	expect(await press(gateId, 1, 'approve')).toBe('passed_on');
	expect(await press(gateId, 3, 'approve')).toBe('approved');
	expect(await send()).toEqual(['outcome 1', 'outcome 2', 'outcome 3']);
	expect(await events('gate.escalated')).toBe(1);
});

test.each([
	['reject', 'expired', 'active'],
	['approve', 'approved', 'active'],
	['abort', 'expired', 'cancelled'],
	['wait', 'open', 'active'],
])('when they stay silent too, the last policy decides: %s', async (then, state, run) => {
	const gateId = await open({ ...escalation, escalateTo: { ...escalation.escalateTo, then } });
	await send();
	await pass(10);
	await pass(2);
	expect(await read(gateId)).toMatchObject({ state });
	expect((await api.call('GET', '/v1/runs/order-1')).body.state).toBe(run);
});

test('silence of others is no consent when no message reached them', async () => {
	const gateId = await open({
		...escalation,
		escalateTo: { ...escalation.escalateTo, then: 'approve' },
	});
	await send();
	deliverable = false;
	await pass(10);
	await pass(2);
	expect(await read(gateId)).toMatchObject({ state: 'expired', decision: { policy: 'approve' } });
});

test('who comes before the timer finds it passed on', async () => {
	const gateId = await open(escalation);
	api.clock.advance(11 * HOUR);
	expect(await press(gateId, 1, 'approve')).toBe('passed_on');
	expect(await read(gateId)).toMatchObject({ state: 'open', approvers: ['Cid'] });
	await fireTimers(api.journal);
	expect(await events('gate.escalated')).toBe(1);
});

test('an approval from before counts after it, and reminders begin anew', async () => {
	const two = { approvers: [CID, { name: 'Dee', telegramId: 4 }], in: 'PT2H', then: 'reject' };
	const gateId = await open({
		onDeadline: 'escalate',
		escalateTo: two,
		quorum: 2,
		reminders: ['50%'],
	});
	await send();
	await press(gateId, 1, 'approve');
	await pass(10);
	expect(await pass(1)).toEqual(['reminder 3', 'reminder 4']);
	expect(await press(gateId, 3, 'approve')).toBe('approved');
});

test('links of those asked first show it then, and decide nothing', async () => {
	const gateId = await open(escalation);
	await send();
	const links = sent.map((message) => message.links.decide!);
	await pass(10);
	const theirs = sent.find(({ kind }) => kind === 'gate')!.links.decide!;
	const by = async (link: string) => {
		const found = await findGateByToken(api.journal, link.split('/').at(-1)!);
		return found.outcome === 'found' ? found.by : found.outcome;
	};
	expect(await Promise.all(links.map(by))).toEqual([undefined, undefined]);
	expect(await by(theirs)).toBe('Cid');
	expect(await read(gateId)).toMatchObject({ state: 'open' });
});

test('what was not sent before the deadline is sent to the others only', async () => {
	await open(escalation);
	expect(await pass(10)).toEqual(['gate 3']);
});

test.each([
	['others without the policy', { escalateTo: escalation.escalateTo }, '/escalateTo'],
	['the policy without others', { onDeadline: 'escalate' }, '/escalateTo'],
	['no deadline', { ...escalation, deadline: undefined }, '/deadline'],
	[
		'no time',
		{ ...escalation, escalateTo: { ...escalation.escalateTo, in: 'PT0S' } },
		'/escalateTo/in',
	],
	['fewer than it takes', { ...escalation, quorum: 2 }, '/escalateTo/approvers'],
	['a reminder of nothing', { reminders: ['soon'] }, '/reminders/0'],
	['a share of for ever', { reminders: ['50%'], deadline: undefined }, '/reminders/0'],
])('%s is refused', async (_, members, pointer) => {
	const { status, body } = await api.post('/v1/gates', {
		runId: 'order-1',
		gate: 'pay',
		input: 1,
		title: 'Pay?',
		message: '',
		approvers: [ANN, BEN],
		deadline: { in: 'PT10H' },
		...members,
	});
	expect([status, body.code]).toEqual([400, 'invalid_request']);
	expect(body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
});
