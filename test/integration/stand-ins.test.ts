/** The receivers the other tests count with must themselves count right. */
import { httpRequest } from '../http-request';
import { startStandIns, type StandIns } from '../stand-ins-process';

let standIns: StandIns;
beforeAll(async () => {
	standIns = await startStandIns();
});
afterAll(() => standIns.stop());
beforeEach(() => standIns.reset());

const invoice = (path = '/invoices', headers = {}, orderId = 'A-1') =>
	httpRequest('POST', standIns.baseUrl + path, { orderId, amount: 490 }, headers);
const ask = (path: string, more = {}) =>
	httpRequest('POST', standIns.baseUrl + path, {
		model: 'gpt-4o-mini',
		messages: [{ role: 'user', content: 'Order A-1: research the company' }],
		input: 'Order A-1: research the company',
		...more,
	});

it('counts every effect under its reference and names what happened twice', async () => {
	expect((await invoice()).status).toBe(201);
	expect((await invoice('/invoices', {}, 'A-2')).status).toBe(201);
	expect((await standIns.counts()).doubled).toEqual([]);
	await invoice('/invoices', { 'idempotency-key': 'ignored here' });
	const counts = await standIns.counts();
	expect(counts.totals.invoices).toBe(3);
	expect(counts.byRef['A-1']).toEqual({ '/invoices': 2 });
	expect(counts.doubled).toMatchObject([{ path: '/invoices', ref: 'A-1', count: 2 }]);
});

it('honours an idempotency key only where told to', async () => {
	const key = { 'idempotency-key': 'k1' };
	const first = await invoice('/idempotent/invoices', key);
	const second = await invoice('/idempotent/invoices', key);
	expect(second.body).toEqual(first.body);
	expect(second.headers['idempotent-replayed']).toBe('true');
	expect((await invoice('/idempotent/invoices', key, 'A-2')).status).toBe(422);
	expect((await invoice('/idempotent/invoices')).status).toBe(400);
	expect((await standIns.counts()).totals.invoices).toBe(1);
});

it.each([
	['before', 0],
	['after', 1],
] as const)('holds a call %s its effect', async (when, countedWhileHeld) => {
	await standIns.hold({ path: '/invoices', ref: 'A-1', when });
	const answer = invoice();
	await standIns.waitForHeld(1);
	expect((await standIns.counts()).totals.invoices).toBe(countedWhileHeld);
	expect((await invoice('/invoices', {}, 'A-2')).status).toBe(201);
	await standIns.release();
	expect((await answer).status).toBe(201);
	expect((await standIns.counts()).byRef['A-1']).toEqual({ '/invoices': 1 });
});

it('fails as scripted, before or after the effect, and then works again', async () => {
	await standIns.fail({ path: '/invoices', status: 503, headers: { 'retry-after': '7' } });
	const failed = await invoice();
	expect([failed.status, failed.headers['retry-after']]).toEqual([503, '7']);
	expect((await standIns.counts()).totals.invoices).toBe(0);
	await standIns.fail({ path: '/invoices', status: 'reset', when: 'after' });
	await expect(invoice()).rejects.toMatchObject({ code: 'ECONNRESET' });
	expect((await standIns.counts()).totals.invoices).toBe(1);
	expect((await invoice()).status).toBe(201);
});

it.each(['/v1/chat/completions', '/v1/responses'])(
	'%s costs money per call, streams too, and never says the same twice',
	async (path) => {
		const textIn = (body: any) =>
			body.choices?.[0].message.content ?? body.output[0].content[0].text;
		const [first, second] = [await ask(path), await ask(path)];
		expect(textIn(first.body)).not.toBe(textIn(second.body));
		const streamed = await ask(path, { stream: true });
		expect(streamed.headers['content-type']).toBe('text/event-stream');
		const counts = await standIns.counts();
		expect(counts.totals.modelCalls).toBe(3);
		expect(counts.modelCostUsd).toBe(0.12);
		expect(counts.doubled).toMatchObject([{ kind: 'model', ref: 'A-1', count: 3 }]);
	},
);
