import { shownSha256 } from '../../../service/domain/gate';
import { decisionLink } from '../../../service/journal/decision-link';
import { openBrowser, type Browser } from './browser';

let browser: Browser;
beforeEach(async () => {
	browser = await openBrowser();
});
afterEach(async () => await browser.api.close());

const GATE = {
	runId: 'order-1',
	gate: 'approve',
	input: { amount: 490 },
	title: 'T',
	message: 'm',
};
const DAY_MS = 86_400_000;
const open = async (members: object = {}) => {
	const { status, body } = await browser.api.post('/v1/gates', { ...GATE, ...members });
	expect(status).toBe(201);
	return {
		gateId: body.gateId as string,
		path: body.decisionUrl && new URL(body.decisionUrl).pathname,
	};
};
const read = async (gateId: string) => (await browser.api.call('GET', `/v1/gates/${gateId}`)).body;
const link = (gateId: string, holder: number | 'link' | 'show', members: object = {}) =>
	new URL(
		decisionLink(
			browser.api.journal,
			{
				gate_id: gateId,
				opened_at: browser.api.clock.now(),
				deadline_at: null,
				shown_sha256: shownSha256({ ...GATE, ...members }),
			},
			holder,
		),
	).pathname;

test.each([
	['GET', 'curl/8.0'],
	['HEAD', 'TelegramBot (like TwitterBot)'],
	[
		'GET',
		'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
	],
] as const)('%s by %s shows and decides nothing', async (method, userAgent) => {
	const { gateId, path } = await open();
	const answer = await browser.get(`${path}?decision=approve`, { 'user-agent': userAgent }, method);
	expect(answer.status).toBe(200);
	if (method === 'GET') expect(answer.html).toContain('<button name="decision" value="approve"');
	expect(answer.html).not.toMatch(/<script|http-equiv="?refresh/i);
	expect(await read(gateId)).toMatchObject({ state: 'open', decisions: [] });
});

test('a form post decides, and the page then shows the decision', async () => {
	const { gateId, path } = await open();
	const answer = await browser.post(path, { decision: 'reject', comment: ' too\r\nmuch ' });
	expect(answer.status).toBe(303);
	const shown = await browser.get(
		new URL(answer.headers['location'] as string, `http://h${path}`).pathname,
	);
	expect(shown.html).toContain('Rejected');
	expect(shown.html).toContain('too\nmuch');
	expect(shown.html).not.toContain('<form');
	expect(await read(gateId)).toMatchObject({
		state: 'rejected',
		decision: { decision: 'reject', by: 'link', via: 'link', comment: 'too\nmuch' },
	});
});

test('fifty posts at once: one decision, 49 pages with the one that stands', async () => {
	const { gateId, path } = await open();
	const answers = await Promise.all(
		Array.from({ length: 50 }, (_, i) =>
			browser.post(path, { decision: i % 2 ? 'approve' : 'reject', comment: `voice ${i}` }),
		),
	);
	expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
	const late = answers.filter(({ status }) => status === 409);
	expect(late).toHaveLength(49);
	const { decision, decisions } = await read(gateId);
	expect(decisions).toHaveLength(1);
	for (const { html } of late) {
		expect(html).toContain('came too late');
		expect(html).toContain(decision.comment);
	}
});

test('an approver decides in their own name; the link of one gate is none for another', async () => {
	const approvers = [{ name: 'Operator' }, { name: 'Deputy' }];
	const { gateId, path } = await open({ approvers });
	expect(path).toBeNull();
	const other = await open({ approvers, gate: 'other' });
	expect((await browser.get(link(gateId, 1))).html).toContain('You decide as Deputy.');
	await browser.post(link(gateId, 1), { decision: 'approve' });
	expect(await read(gateId)).toMatchObject({ decision: { by: 'Deputy', via: 'link' } });
	expect(await read(other.gateId)).toMatchObject({ state: 'open' });
});

test.each(['show', 'link', 7] as const)(
	'with named approvers the link of "%s" only shows',
	async (holder) => {
		const { gateId } = await open({ approvers: [{ name: 'Operator' }] });
		expect((await browser.get(link(gateId, holder))).html).not.toContain('<form');
		expect((await browser.post(link(gateId, holder), { decision: 'approve' })).status).toBe(403);
		expect(await read(gateId)).toMatchObject({ state: 'open' });
	},
);

test('forged, altered, cut and swapped tokens are one clear page, and decide nothing', async () => {
	const { gateId, path } = await open();
	const other = await open({ gate: 'other' });
	const [gate, holder, expiry, signature] = path.slice('/gates/'.length).split('.');
	const otherGate = other.path.slice('/gates/'.length).split('.')[0];
	for (const token of [
		`${otherGate}.${holder}.${expiry}.${signature}`,
		`${gate}.0.${expiry}.${signature}`,
		`${gate}.${holder}.zzzzzzzz.${signature}`,
		`${gate}.${holder}.${expiry}.${signature.slice(0, -2)}AA`,
		`${gate}.${holder}.${expiry}`,
		'x'.repeat(1500),
		'%2e%2e%2fv1',
	]) {
		for (const answer of [
			await browser.get(`/gates/${token}`),
			await browser.post(`/gates/${token}`, { decision: 'approve' }),
		]) {
			expect(answer.status).toBe(404);
			expect(answer.html).toContain('This link is not valid');
		}
	}
	expect(await read(gateId)).toMatchObject({ state: 'open' });
	expect(await read(other.gateId)).toMatchObject({ state: 'open' });
});

test('an expired token is 410, for reading and for deciding', async () => {
	const { gateId, path } = await open();
	browser.api.clock.advance(500 * DAY_MS);
	expect((await browser.get(path)).status).toBe(410);
	expect((await browser.post(path, { decision: 'approve' })).status).toBe(410);
	expect(await read(gateId)).toMatchObject({ state: 'open' });
});

test('after the deadline the page says so, whether or not the timer has fired', async () => {
	const { gateId, path } = await open({ deadline: { in: 'PT1H' } });
	browser.api.clock.advance(3_600_000);
	const answer = await browser.post(path, { decision: 'approve' });
	expect(answer.status).toBe(409);
	expect(answer.html).toContain('Not approved in time');
	expect(await read(gateId)).toMatchObject({ state: 'expired', decision: { via: 'deadline' } });
});

test.each([
	['nothing', ''],
	['another word', 'decision=changes'],
	['a word of another kind', 'decision=happened'],
	['a word twice', 'decision=approve&decision=reject'],
	['a comment that is too long', `decision=approve&comment=${'x'.repeat(4097)}`],
	['a form that is too large', `decision=approve&comment=${'x'.repeat(70_000)}`],
])('a form with %s decides nothing', async (_name, body) => {
	const { gateId, path } = await open();
	const answer = await browser.post(path, body);
	expect([400, 413]).toContain(answer.status);
	expect(answer.html).toContain('Nothing was changed');
	expect(await read(gateId)).toMatchObject({ state: 'open' });
});

test('a JSON post is no form', async () => {
	const { gateId, path } = await open();
	const answer = await browser.post(path, '{"decision":"approve"}', {
		'content-type': 'application/json',
	});
	expect(answer.status).toBe(415);
	expect(await read(gateId)).toMatchObject({ state: 'open' });
});

test('every field is escaped, and what would reorder text is made visible', async () => {
	const evil = '<img src=x onerror=alert(1)>"\'&\u202E';
	const shown = { title: evil, message: evil, input: { [evil]: evil } };
	const { gateId } = await open({
		...shown,
		runId: '<i>\u202Erun',
		gate: '<i>gate',
		approvers: [{ name: '<i>name' }],
	});
	await browser.post(link(gateId, 0, shown), { decision: 'approve', comment: evil });
	const { html } = await browser.get(link(gateId, 'show', shown));
	expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
	expect(html).not.toMatch(/<img|<i>|\u202E/);
});

test('pages are never kept, framed or scripted, and do not tell other sites their address', async () => {
	const { path } = await open();
	for (const page of [await browser.get(path), await browser.get('/gates/x')]) {
		expect(page.headers).toMatchObject({
			'cache-control': 'no-store',
			'referrer-policy': 'same-origin',
			'x-content-type-options': 'nosniff',
			'content-type': 'text/html; charset=utf-8',
		});
		const csp = page.headers['content-security-policy'] as string;
		expect(csp).toContain("default-src 'none'");
		expect(csp).toContain("frame-ancestors 'none'");
		expect(csp).not.toContain('unsafe');
	}
});
