/** A place of the workflow that asks one question, then another, then the first again. */
import { takeDueWakeUps } from '../../../service/journal/wake-up';
import { openApi, type Api } from '../../api';

let api: Api;
beforeEach(async () => {
	api = await openApi();
});
afterEach(async () => await api.close());

const ask = async (amount: number, execution: number, slot = 'a') =>
	await api.post('/v1/gates', {
		runId: 'order-1',
		gate: 'approve',
		input: { amount },
		title: `Pay ${amount}?`,
		message: '',
		slot,
		resumeUrl: `http://127.0.0.1:5678/webhook-waiting/${execution}/durable-gate?signature=s`,
	});
const decide = async (gateId: string) =>
	await api.admin('POST', `/v1/gates/${gateId}/decide`, { decision: 'approve', by: 'ann' });
const stateOf = async (gateId: string) => (await api.call('GET', `/v1/gates/${gateId}`)).body;
/** The executions that are woken now. */
const woken = async () =>
	(await takeDueWakeUps(api.journal, 8)).map(({ resumeUrl }) =>
		Number(new URL(resumeUrl!).pathname.split('/')[2]),
	);

test('is told at once that the first is cancelled, and by what; nobody waits for ever', async () => {
	const first = await ask(490, 1);
	const second = await ask(500, 2);
	expect(await woken()).toEqual([1]);
	expect(await ask(490, 3)).toMatchObject({
		status: 200,
		body: {
			gateId: first.body.gateId,
			state: 'cancelled',
			decision: null,
			supersededBy: second.body.gateId,
		},
	});
	expect(await woken()).toEqual([3]);
});

test('leaves the second open: a late repeat of the first must not take it from who waits for it', async () => {
	await ask(490, 1);
	const second = await ask(500, 2);
	await ask(490, 1);
	expect(await stateOf(second.body.gateId)).toMatchObject({ state: 'open' });
	expect((await decide(second.body.gateId)).body.state).toBe('approved');
	expect(await woken()).toEqual([1, 2]);
});

test('takes an answer to the first that came before; the second stays open', async () => {
	const first = await ask(490, 1);
	await decide(first.body.gateId);
	const second = await ask(500, 2);
	expect((await ask(490, 3)).body).toMatchObject({ state: 'approved' });
	expect(await stateOf(second.body.gateId)).toMatchObject({ state: 'open' });
});

test('two places that change their questions over keep both open', async () => {
	const first = await ask(490, 1, 'a');
	const second = await ask(500, 1, 'b');
	await ask(500, 2, 'a');
	await ask(490, 2, 'b');
	for (const { body } of [first, second])
		expect(await stateOf(body.gateId)).toMatchObject({ state: 'open' });
});
