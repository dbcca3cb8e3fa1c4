/** What an approver edits before approving: judged by the gate's schema, and kept with what it changed. */
import { openApi, type Api } from '../../api';

let api: Api;
beforeEach(async () => {
	api = await openApi();
});
afterEach(async () => await api.close());

const INPUT = { amount: 1200, customer: 'Acme' };
const EDITABLE = {
	properties: { amount: { type: 'number', maximum: 1500 } },
	required: ['amount'],
};
const open = async (members: object = {}) =>
	await api.post('/v1/gates', {
		runId: 'order-1',
		gate: 'pay',
		input: INPUT,
		title: 'Pay?',
		message: '',
		editable: EDITABLE,
		...members,
	});
const decide = async (body: object, gateId?: string) =>
	await api.admin('POST', `/v1/gates/${gateId ?? (await open()).body.gateId}/decide`, {
		by: 'ann',
		...body,
	});

test('an approval carries what was changed, and from what', async () => {
	const { status, body } = await decide({ decision: 'approve', edits: { amount: 900 } });
	expect(status).toBe(200);
	const decision = {
		decision: 'approve',
		edits: { amount: 900 },
		difference: [{ pointer: '/amount', before: 1200, after: 900 }],
	};
	expect(body).toMatchObject({ state: 'approved', decision, decisions: [decision] });
	expect((await open()).body).toMatchObject({ state: 'approved', decision });
});

test('what was left as it was is no edit', async () => {
	const { body } = await decide({ decision: 'approve', edits: { amount: 1200 } });
	expect(body.decision).not.toHaveProperty('edits');
	expect(body.decision).not.toHaveProperty('difference');
});

test.each([
	['over the limit', { decision: 'approve', edits: { amount: 1501 } }, '/edits/amount'],
	['another type', { decision: 'approve', edits: { amount: '900' } }, '/edits/amount'],
	['not editable', { decision: 'approve', edits: { customer: 'Other' } }, '/edits/customer'],
	['no object', { decision: 'approve', edits: 900 }, '/edits'],
	['with a rejection', { decision: 'reject', edits: { amount: 900 } }, '/edits'],
	['with a wish for changes', { decision: 'changes', edits: { amount: 900 } }, '/edits'],
])('edits %s are refused, and the gate stays open', async (_, body, pointer) => {
	const { gateId } = (await open()).body;
	const refused = await decide(body, gateId);
	expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
	expect(refused.body.errors[0].pointer).toBe(pointer);
	expect((await api.call('GET', `/v1/gates/${gateId}`)).body).toMatchObject({
		state: 'open',
		decisions: [],
	});
});

test('edits of a gate that offers none are refused', async () => {
	const { gateId } = (await open({ editable: undefined })).body;
	const refused = await decide({ decision: 'approve', edits: { amount: 900 } }, gateId);
	expect(refused.body.errors[0].pointer).toBe('/edits');
});

test.each([
	['no form can be made of it', { editable: { properties: { amount: { type: 'object' } } } }],
	['the input is a list', { input: [1] }],
	[
		'several would approve different things',
		{ quorum: 2, approvers: [{ name: 'a' }, { name: 'b' }] },
	],
])('editable is refused: %s', async (_, members) => {
	const { status, body } = await open(members);
	expect([status, body.code]).toEqual([400, 'invalid_request']);
	expect(body.errors[0].pointer).toMatch(/^\/editable/);
	expect((await api.call('GET', '/v1/gates')).body.items).toEqual([]);
});
