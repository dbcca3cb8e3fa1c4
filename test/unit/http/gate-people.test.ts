/** Who may decide a gate: approvers, quorum, four eyes; and what is kept of attempts by others. */
import { decideGate } from '../../../service/journal/decide-gate';
import type { Claimant } from '../../../service/domain/authority';
import { openApi, type Api } from '../../api';

let api: Api;
beforeEach(async () => {
	api = await openApi();
});
afterEach(async () => await api.close());

const PEOPLE = [
	{ name: 'Ann', telegramId: 1 },
	{ name: 'Ben', telegramId: 2 },
	{ name: 'Cid', telegramId: 3 },
];
const open = async (members: object = {}) =>
	await api.post('/v1/gates', {
		runId: 'order-1',
		gate: 'pay',
		input: 1,
		title: 'Pay?',
		message: '',
		approvers: PEOPLE,
		...members,
	});
const press = async (gateId: string, telegramId: number, decision: 'approve' | 'reject') =>
	await attempt(gateId, { via: 'telegram', telegramId, name: 'as Telegram says' }, decision);
const attempt = async (gateId: string, claimant: Claimant, decision: 'approve' | 'reject') =>
	await decideGate(api.journal, { gateId, decision, claimant }).then(
		(gate) => gate.state,
		(error) => error.code as string,
	);
const read = async (gateId: string) => (await api.call('GET', `/v1/gates/${gateId}`)).body;
const audit = async (type: string) =>
	((await api.admin('GET', '/v1/audit?runId=order-1')).body as string)
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line))
		.filter((event) => event.type === type);

test('somebody else is refused, and the attempt is in the audit without a name', async () => {
	const { gateId } = (await open()).body;
	expect(await press(gateId, 9, 'approve')).toBe('not_entitled');
	expect(await read(gateId)).toMatchObject({ state: 'open', decisions: [] });
	expect(await audit('gate.refused')).toMatchObject([
		{ subject: gateId, data: { via: 'telegram', reason: 'not_approver' } },
	]);
	expect(JSON.stringify(await audit('gate.refused'))).not.toMatch(/Telegram says/);
	expect(await press(gateId, 2, 'approve')).toBe('approved');
	expect(await read(gateId)).toMatchObject({ decision: { by: 'Ben', via: 'telegram' } });
});

test('two of three have to approve; one person counts once', async () => {
	const { gateId } = (await open({ quorum: 2 })).body;
	expect(await press(gateId, 1, 'approve')).toBe('open');
	expect(await press(gateId, 1, 'approve')).toBe('open');
	expect(await read(gateId)).toMatchObject({ quorum: 2, approvers: ['Ann', 'Ben', 'Cid'] });
	expect(await press(gateId, 3, 'approve')).toBe('approved');
});

test('one rejection ends it, unless rejections count', async () => {
	const { gateId } = (await open({ quorum: 2 })).body;
	await press(gateId, 1, 'approve');
	expect(await press(gateId, 2, 'reject')).toBe('rejected');
	const counted = (await open({ gate: 'other', quorum: 2, rejection: 'counts' })).body.gateId;
	expect(await press(counted, 2, 'reject')).toBe('open');
	expect(await press(counted, 1, 'approve')).toBe('open');
	expect(await press(counted, 3, 'approve')).toBe('approved');
});

test('nobody approves a request of their own, by any account, nor with the admin key', async () => {
	const requester = { name: 'A. Requester', telegramId: 1 };
	const { gateId } = (await open({ requester, quorum: 2 })).body;
	expect((await read(gateId)).approvers).toEqual(['Ben', 'Cid']);
	expect(await press(gateId, 1, 'approve')).toBe('not_entitled');
	const key = await api.admin('POST', `/v1/gates/${gateId}/decide`, {
		decision: 'approve',
		by: 'A. Requester',
	});
	expect(key).toMatchObject({ status: 403, body: { code: 'not_entitled' } });
	expect(key.body.refusedBecause).toBe('requester');
	expect((await audit('gate.refused')).map(({ data }) => data)).toEqual([
		{ via: 'telegram', reason: 'requester' },
		{ via: 'api', reason: 'requester' },
	]);
	await press(gateId, 2, 'approve');
	expect(await press(gateId, 3, 'approve')).toBe('approved');
});

test.each([
	[
		'a requester with nobody named',
		{ requester: { name: 'R' }, approvers: undefined },
		'/requester',
	],
	[
		'nobody but the requester',
		{ requester: { name: 'Ann' }, approvers: [PEOPLE[0]] },
		'/approvers',
	],
	['more than may decide', { requester: { name: 'Ann' }, quorum: 3 }, '/quorum'],
	['counting nobody', { rejection: 'counts', approvers: undefined }, '/rejection'],
	[
		'an address list',
		{ approvers: [{ name: 'A', email: 'a@b.example, c@d.example' }] },
		'/approvers/0/email',
	],
	[
		'a line end in an address',
		{ approvers: [{ name: 'A', email: 'a@b.example\nBcc: c@d.example' }] },
		'/approvers/0/email',
	],
])('%s is refused', async (_, members, pointer) => {
	const { status, body } = await open(members);
	expect([status, body.code]).toEqual([400, 'invalid_request']);
	expect(body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
});
