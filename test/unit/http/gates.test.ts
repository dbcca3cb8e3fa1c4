import { gateKey } from '../../../service/domain/key';
import { fireTimers } from '../../../service/journal/fire-timers';
import { markDelivered } from '../../../service/store/deliveries';
import { recordWakeUp, takeDueWakeUps } from '../../../service/journal/wake-up';
import { openApi, type Api } from '../../api';

let api: Api;
beforeEach(async () => {
	api = await openApi();
});
afterEach(async () => await api.close());

const GATE = {
	runId: 'order-1',
	gate: 'approve invoice',
	input: { amount: 490 },
	title: 'Invoice 490 €',
	message: 'For Acme',
};
const GATE_ID = gateKey('order-1', 'approve invoice', { amount: 490 });
const open = async (members: object = {}) => await api.post('/v1/gates', { ...GATE, ...members });
const read = async (gateId = GATE_ID) => (await api.call('GET', `/v1/gates/${gateId}`)).body;
const decide = async (members: object = {}, gateId = GATE_ID) =>
	await api.admin('POST', `/v1/gates/${gateId}/decide`, {
		decision: 'approve',
		by: 'operator',
		...members,
	});
const auditTypes = async (runId = 'order-1') => {
	const { body } = await api.admin('GET', `/v1/audit?runId=${runId}`);
	return (body as string)
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line).type);
};

describe('opening', () => {
	test('the first open is 201 with the id that its identity gives', async () => {
		expect(await open()).toMatchObject({
			status: 201,
			body: {
				gateId: GATE_ID,
				state: 'open',
				deadline: null,
				decision: null,
				decisionUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:5690\/gates\/[\w.-]{90,}$/),
			},
		});
		expect(await read()).toEqual({
			gateId: GATE_ID,
			runId: 'order-1',
			gate: 'approve invoice',
			kind: 'approval',
			state: 'open',
			title: 'Invoice 490 €',
			message: 'For Acme',
			openedAt: '2027-03-01T10:00:00.000Z',
			deadline: null,
			decision: null,
			decisions: [],
			wakes: [],
			wake: null,
			quorum: 1,
		});
	});

	test('again is 200 with the same link; what is shown stays, and what differed is named', async () => {
		const first = await open({ meta: { executionId: '7' } });
		api.clock.advance(60_000);
		const again = await open({
			title: 'Invoice 4900 €',
			deadline: { in: 'PT1H' },
			meta: { executionId: '8' },
		});
		expect(again).toMatchObject({ status: 200, body: { decisionUrl: first.body.decisionUrl } });
		expect(again.body.ignored.toSorted()).toEqual(['deadline', 'title']);
		expect(await read()).toMatchObject({ title: 'Invoice 490 €', deadline: null });
		expect((await open()).body).not.toHaveProperty('ignored');
	});

	test('of 50 at once, one is the first', async () => {
		const answers = await Promise.all(Array.from({ length: 50 }, async () => await open()));
		expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(49);
	});

	test('a decided gate answers with its decision', async () => {
		await open();
		await decide();
		expect((await open()).body).toMatchObject({ state: 'approved', decision: { by: 'operator' } });
	});

	test('named approvers get no link in the answer', async () => {
		expect((await open({ approvers: [{ name: 'operator' }] })).body.decisionUrl).toBeNull();
	});

	test.each([
		['an integer that is not exact', { input: { id: 2 ** 53 } }, '/input/id'],
		['a lone surrogate in the title', { title: '\ud800' }, '/title'],
		['no resume URL', { resumeUrl: 'http://n8n:5678/webhook/1' }, '/resumeUrl'],
		['another protocol', { resumeUrl: 'file:///webhook-waiting/1' }, '/resumeUrl'],
		['no URL', { resumeUrl: '/webhook-waiting/1' }, '/resumeUrl'],
		['a deadline in the past', { deadline: { on: '2027-03-01T10:00:00Z' } }, '/deadline/on'],
		['no such zone', { deadline: { at: '11:00', timeZone: 'Mars/Base' } }, '/deadline/timeZone'],
		['an approver twice', { approvers: [{ name: 'a' }, { name: 'a' }] }, '/approvers/1/name'],
		['a quorum of nobody', { quorum: 2 }, '/quorum'],
		['a quorum over all', { quorum: 3, approvers: [{ name: 'a' }, { name: 'b' }] }, '/quorum'],
	])('%s is refused by its pointer, and nothing is begun', async (_, members, pointer) => {
		expect(await open(members)).toMatchObject({
			status: 400,
			body: { code: 'invalid_request', errors: [{ pointer, detail: expect.any(String) }] },
		});
		expect((await api.call('GET', '/v1/runs')).body.items).toEqual([]);
	});

	test.each([
		['an unknown member', { colour: 'red' }],
		['a number as title', { title: 7 }],
		['a deadline of two kinds', { deadline: { in: 'PT1H', at: '11:00', timeZone: 'UTC' } }],
		['a zone and an offset', { deadline: { on: '2027-06-01T09:00:00Z', timeZone: 'UTC' } }],
	])('%s does not match the contract', async (_, members) => {
		expect(await open(members)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
	});

	test('a channel that cannot be used is refused with the reason', async () => {
		await api.close();
		api = await openApi({ channelRefusal: () => 'Telegram cannot be used: it has no token' });
		expect(await open({ channels: ['telegram'] })).toMatchObject({
			status: 422,
			body: { code: 'channel_unavailable', detail: expect.stringContaining('it has no token') },
		});
	});

	test('a refused resume URL is not repeated in the answer', async () => {
		const { body } = await open({ resumeUrl: 'http://n8n/secret-path?signature=secret' });
		expect(JSON.stringify(body)).not.toContain('secret');
	});

	test('cancelled and erased runs take no gates', async () => {
		await api.admin('POST', '/v1/runs/order-1/cancel', { reason: 'r', by: 'b' });
		expect(await open()).toMatchObject({ status: 409, body: { code: 'run_cancelled' } });
		await api.admin('DELETE', '/v1/runs/order-1');
		expect(await open()).toMatchObject({ status: 410, body: { code: 'run_erased' } });
	});
});

describe('superseding', () => {
	test('a gate opened in a slot closes the open one there, and only that', async () => {
		const slot = 'wf/node#0.0';
		await open({ slot });
		const elsewhere = await open({ gate: 'other', slot: 'wf/node#0.1' });
		const newer = await open({ slot, input: { amount: 500 } });
		expect(await read()).toMatchObject({
			state: 'cancelled',
			decision: null,
			supersededBy: newer.body.gateId,
		});
		expect(await read(elsewhere.body.gateId)).toMatchObject({ state: 'open' });
		expect(await decide()).toMatchObject({
			status: 409,
			body: { code: 'gate_closed', decision: null },
		});
		expect(await auditTypes()).toEqual([
			'run.started',
			'gate.opened',
			'gate.opened',
			'gate.superseded',
			'gate.opened',
		]);
	});

	test('a decided gate stays as it is', async () => {
		await open({ slot: 's' });
		await decide();
		await open({ slot: 's', input: { amount: 500 } });
		expect(await read()).toMatchObject({ state: 'approved' });
	});
});

describe('deciding', () => {
	test('approve', async () => {
		await open();
		api.clock.advance(1_000);
		const decision = {
			decision: 'approve',
			by: 'operator',
			via: 'api',
			comment: 'fine',
			at: '2027-03-01T10:00:01.000Z',
			shownSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
		};
		expect(await decide({ comment: 'fine' })).toMatchObject({
			status: 200,
			body: { state: 'approved', decision, decisions: [decision] },
		});
		expect(await read()).toMatchObject({ state: 'approved', decision });
	});

	test.each(['reject', 'changes'])('%s is not approved', async (decision) => {
		await open();
		expect((await decide({ decision })).body).toMatchObject({
			state: 'rejected',
			decision: { decision },
		});
	});

	test('of 50 decisions at once one stands, and all others are told which', async () => {
		await open();
		const answers = await Promise.all(
			Array.from(
				{ length: 50 },
				async (_, index) =>
					await decide({ decision: index % 2 ? 'approve' : 'reject', by: `p${index}` }),
			),
		);
		const winners = answers.filter(({ status }) => status === 200);
		expect(winners).toHaveLength(1);
		const { decision } = winners[0]!.body;
		const late = answers.filter(({ status }) => status === 409);
		expect(late).toHaveLength(49);
		for (const { body } of late) expect(body).toMatchObject({ code: 'gate_closed', decision });
		expect((await read()).decisions).toEqual([decision]);
		expect((await auditTypes()).filter((type) => type === 'gate.decided')).toHaveLength(1);
	});

	test('needs the admin key', async () => {
		await open();
		const path = `/v1/gates/${GATE_ID}/decide`;
		const body = { decision: 'approve', by: 'agent' };
		expect(await api.post(path, body)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
		expect(await api.call('POST', path, body, null)).toMatchObject({ status: 401 });
		expect(await read()).toMatchObject({ state: 'open' });
	});

	test.each([
		['a word of the other kind', { decision: 'happened' }, '/decision'],
		['edits that were not offered', { edits: { amount: 1 } }, '/edits'],
	])('%s is refused', async (_, members, pointer) => {
		await open();
		expect(await decide(members)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
		expect(await read()).toMatchObject({ state: 'open' });
	});

	test('an unknown gate is 404', async () => {
		expect(await decide()).toMatchObject({ status: 404, body: { code: 'not_found' } });
	});
});

describe('quorum', () => {
	const approvers = [{ name: 'operator' }, { name: 'bo' }, { name: 'cy' }];

	test('stays open until enough different people approved', async () => {
		await open({ approvers, quorum: 2 });
		expect((await decide({ by: 'operator' })).body).toMatchObject({
			state: 'open',
			decision: null,
		});
		expect((await decide({ by: 'operator' })).body).toMatchObject({ state: 'open' });
		const closed = (await decide({ by: 'bo' })).body;
		expect(closed).toMatchObject({ state: 'approved', decision: { by: 'bo' } });
		expect(closed.decisions.map((decision: { by: string }) => decision.by)).toEqual([
			'operator',
			'bo',
		]);
	});

	test('one rejection is enough, also by somebody who approved before', async () => {
		await open({ approvers, quorum: 2 });
		await decide({ by: 'operator' });
		expect((await decide({ by: 'operator', decision: 'reject' })).body).toMatchObject({
			state: 'rejected',
			decision: { by: 'operator', decision: 'reject' },
		});
	});
});

describe('deadlines', () => {
	const HOUR = { in: 'PT1H' };
	const pass = async () => {
		api.clock.advance(3_600_000);
		return await fireTimers(api.journal);
	};

	test('the timer is known, fires once, and nothing is due before', async () => {
		expect((await open({ deadline: HOUR })).body.deadline).toBe('2027-03-01T11:00:00.000Z');
		const due = await fireTimers(api.journal);
		expect(due).toBe(Date.parse('2027-03-01T11:00:00.000Z'));
		api.clock.advance(3_599_999);
		await fireTimers(api.journal);
		expect(await read()).toMatchObject({ state: 'open' });
		api.clock.advance(1);
		expect(await fireTimers(api.journal)).toBeUndefined();
		await fireTimers(api.journal);
		expect((await auditTypes()).filter((type) => type === 'gate.decided')).toHaveLength(1);
	});

	test.each([
		[{}, 'expired', 'reject', 'reject'],
		[{ onDeadline: 'reject' }, 'expired', 'reject', 'reject'],
		[{ onDeadline: 'approve' }, 'approved', 'approve', 'approve'],
		[{ onDeadline: 'abort' }, 'expired', 'reject', 'abort'],
	])('%j', async (members, state, decision, policy) => {
		await open({ deadline: HOUR, ...members });
		await pass();
		expect(await read()).toMatchObject({
			state,
			decision: { decision, policy, by: 'deadline', via: 'deadline' },
		});
	});

	test('wait goes on waiting, and people may still decide', async () => {
		await open({ deadline: HOUR, onDeadline: 'wait' });
		expect(await pass()).toBeUndefined();
		expect(await read()).toMatchObject({ state: 'open', deadline: '2027-03-01T11:00:00.000Z' });
		expect((await decide()).body).toMatchObject({ state: 'approved' });
	});

	test('abort cancels the run with its other gates', async () => {
		await open({ deadline: HOUR, onDeadline: 'abort' });
		const other = await open({ gate: 'other' });
		await pass();
		expect(await read(other.body.gateId)).toMatchObject({ state: 'cancelled', decision: null });
		const claim = await api.post('/v1/steps/claim', { runId: 'order-1', step: 's', input: 1 });
		expect(claim).toMatchObject({ status: 409, body: { code: 'run_cancelled' } });
	});

	test('approve needs a delivered message where there is a channel', async () => {
		await open({ deadline: HOUR, onDeadline: 'approve', channels: ['telegram'] });
		const delivered = await open({
			gate: 'delivered',
			deadline: HOUR,
			onDeadline: 'approve',
			channels: ['telegram'],
		});
		await api.journal.database.write([], async (queries) => {
			const row = await queries.get<{ id: number }>('SELECT max(id) AS id FROM deliveries');
			await markDelivered(queries, row!.id, '1', { to: '7' });
		});
		await pass();
		expect(await read()).toMatchObject({
			state: 'expired',
			decision: { decision: 'reject', policy: 'approve' },
		});
		expect(await read(delivered.body.gateId)).toMatchObject({ state: 'approved' });
	});

	test('a decision before the deadline drops the timer', async () => {
		await open({ deadline: HOUR });
		await decide();
		expect(await fireTimers(api.journal)).toBeUndefined();
	});

	test('a passed deadline stands before a later person, even if no timer ran yet', async () => {
		await open({ deadline: HOUR });
		api.clock.advance(3_600_000);
		expect(await decide()).toMatchObject({
			status: 409,
			body: { code: 'gate_closed', decision: { via: 'deadline', decision: 'reject' } },
		});
	});

	test('more timers than one transaction takes all fire', async () => {
		await Promise.all(
			Array.from({ length: 250 }, async (_, index) => await open({ input: index, deadline: HOUR })),
		);
		await pass();
		const list = await api.call('GET', '/v1/gates?state=expired&limit=500');
		expect(list.body.items).toHaveLength(250);
	});
});

describe('runs and gates', () => {
	test('a claim behind a gate waits for its approval, in the same run', async () => {
		const claim = { runId: 'order-1', step: 'pay', input: 1, gateId: GATE_ID };
		await open();
		expect((await api.post('/v1/steps/claim', claim)).body.code).toBe('gate_not_approved');
		await decide();
		const foreign = await api.post('/v1/steps/claim', { ...claim, runId: 'order-2' });
		expect(foreign.body.code).toBe('gate_not_approved');
		expect((await api.post('/v1/steps/claim', claim)).body.outcome).toBe('execute');
	});

	test('cancelling a run closes its gates', async () => {
		await open({ deadline: { in: 'PT1H' } });
		await api.admin('POST', '/v1/runs/order-1/cancel', { reason: 'r', by: 'b' });
		expect(await read()).toMatchObject({ state: 'cancelled', decision: null });
		expect(await fireTimers(api.journal)).toBeUndefined();
	});

	test('erasing a run leaves nothing of its gates', async () => {
		await open({
			message: 'm'.repeat(10_000),
			deadline: { in: 'PT1H' },
			channels: ['telegram'],
			resumeUrl: 'http://127.0.0.1:5678/webhook-waiting/1?signature=a',
		});
		await decide();
		for (const { waiter } of await takeDueWakeUps(api.journal, 8))
			await recordWakeUp(api.journal, waiter, { reply: 'resumed', status: 200 });
		expect((await api.admin('DELETE', '/v1/runs/order-1')).status).toBe(204);
		expect((await api.call('GET', `/v1/gates/${GATE_ID}`)).status).toBe(404);
		for (const table of [
			'gates',
			'gate_decisions',
			'gate_waiters',
			'timers',
			'payloads',
			'deliveries',
			'outbox',
		])
			expect(
				await api.journal.database.read(
					async (queries) => await queries.all(`SELECT * FROM ${table}`),
				),
			).toEqual([]);
	});

	test('a run lists its gates', async () => {
		await open();
		const { body } = await api.call('GET', '/v1/runs/order-1');
		expect(body.gates).toMatchObject([{ gateId: GATE_ID, state: 'open' }]);
		expect(body.gates[0]).not.toHaveProperty('message');
	});
});

describe('listing', () => {
	test('newest first, by state, page by page', async () => {
		for (const input of [1, 2, 3]) await open({ input });
		await decide({}, gateKey('order-1', 'approve invoice', 2));
		const first = (await api.call('GET', '/v1/gates?state=open&limit=1')).body;
		expect(first.items).toMatchObject([{ gateId: gateKey('order-1', 'approve invoice', 3) }]);
		const next = await api.call('GET', `/v1/gates?state=open&limit=1&cursor=${first.nextCursor}`);
		expect(next.body.items).toMatchObject([{ gateId: gateKey('order-1', 'approve invoice', 1) }]);
		expect((await api.call('GET', '/v1/gates')).body.items).toHaveLength(3);
	});

	test.each(['state=closed', 'limit=0', 'limit=501', 'cursor=!', 'colour=red'])(
		'?%s is refused',
		async (query) => expect((await api.call('GET', `/v1/gates?${query}`)).status).toBe(400),
	);
});

describe('a gate that asks about doubt', () => {
	const STEP = { runId: 'order-1', step: 'pay', input: { amount: 1 }, onInDoubt: 'ask' };
	const claim = async () => await api.post('/v1/steps/claim', STEP);
	const doubt = async () => {
		const { key } = (await claim()).body;
		api.clock.advance(60_000);
		const { body } = await claim();
		expect(body).toMatchObject({ code: 'step_in_doubt', key });
		return { key, gateId: body.gateId as string };
	};

	test('is opened once for each doubtful attempt', async () => {
		const { gateId } = await doubt();
		expect((await claim()).body.gateId).toBe(gateId);
		expect(await read(gateId)).toMatchObject({
			kind: 'in_doubt',
			state: 'open',
			title: 'Did "pay" happen?',
		});
		await decide({ decision: 'not_happened' }, gateId);
		expect((await claim()).body).toMatchObject({ outcome: 'execute', attempt: 2 });
		api.clock.advance(60_000);
		const second = (await claim()).body;
		expect(second.code).toBe('step_in_doubt');
		expect(second.gateId).not.toBe(gateId);
	});

	test.each([
		[{ edits: { id: 'ch_1' } }, { id: 'ch_1' }],
		[{ comment: 'charge ch_1' }, 'charge ch_1'],
		[{ comment: 'seen', edits: null }, null],
		[{}, null],
	])('happened with %j completes the step', async (members, result) => {
		const { gateId } = await doubt();
		expect((await decide({ decision: 'happened', ...members }, gateId)).body.state).toBe(
			'approved',
		);
		expect((await claim()).body).toMatchObject({ outcome: 'replay', result });
	});

	test('stop fails the step', async () => {
		const { gateId } = await doubt();
		expect((await decide({ decision: 'stop' }, gateId)).body.state).toBe('rejected');
		expect((await claim()).body).toMatchObject({ outcome: 'failed' });
	});

	test('knows no approval, and approves no claim', async () => {
		const { gateId } = await doubt();
		expect((await decide({}, gateId)).status).toBe(400);
		await decide({ decision: 'happened' }, gateId);
		const other = await api.post('/v1/steps/claim', { ...STEP, step: 'mail', gateId });
		expect(other.body.code).toBe('gate_not_approved');
	});

	test('closes when the step is settled without it', async () => {
		const { key, gateId } = await doubt();
		const reason = { reason: 'looked', by: 'ops' };
		await api.admin('POST', `/v1/steps/${key}/resolve`, { as: 'failed', ...reason });
		expect(await decide({ decision: 'happened' }, gateId)).toMatchObject({ status: 409 });
		expect(await read(gateId)).toMatchObject({ state: 'cancelled' });
	});
});
