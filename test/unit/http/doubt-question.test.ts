/** What people are shown who are asked whether a step in doubt happened. */
import { openApi, type Api } from '../../api';
import { showGate } from '../../../service/journal/show-gate';
import { gateView } from '../../../service/inbox/gate-view';

let api: Api;
beforeEach(async () => {
	api = await openApi();
});
afterEach(async () => await api.close());

const input = {
	method: 'POST',
	url: 'https://erp.example/invoices',
	body: { orderId: 'A-1', amount: 490 },
};
const claim = async (onInDoubt: string) =>
	(
		await api.post('/v1/steps/claim', {
			runId: 'order A-1',
			step: 's',
			input,
			onInDoubt,
			lookAfterMs: 0,
			meta: { executionId: '17', nodeLabel: 'Invoice' },
		})
	).body;
const fail = async (key: string, fencingToken: number, error: object) =>
	await api.post(`/v1/steps/${key}/fail`, { fencingToken, error, verdict: 'in_doubt' });

test('the call, when it was made and by what, what it reported and what a look-up said', async () => {
	const { key, fencingToken } = await claim('fail');
	const begun = new Date(api.clock.ms).toISOString();
	await fail(key, fencingToken, { message: 'socket hang up', code: 'ECONNRESET' });
	const look = await claim('verify');
	await fail(key, look.fencingToken, { message: 'no answer', status: 503 });
	const { gateId } = await claim('ask');
	const view = gateView(await showGate(api.journal, gateId), 'ann', api.clock.ms);
	expect(view.title).toBe('Did "Invoice" happen?');
	expect(view.message).toContain(`Attempt 1 of this step was started at ${begun} by execution 17`);
	expect(view.message).toContain('What it reported: socket hang up');
	expect(view.message).toContain('The last look-up: no answer (HTTP 503)');
	expect(view.rows).toEqual([
		{ depth: 0, name: 'method', value: 'POST' },
		{ depth: 0, name: 'url', value: 'https://erp.example/invoices' },
		{ depth: 0, name: 'body' },
		{ depth: 1, name: 'orderId', value: 'A-1' },
		{ depth: 1, name: 'amount', value: '490' },
	]);
});

test('where nothing was reported, nothing is made up', async () => {
	await claim('fail');
	api.clock.advance(60_000);
	const { gateId } = await claim('ask');
	const { message } = await showGate(api.journal, gateId);
	expect(message).not.toMatch(/reported|look-up/);
});
