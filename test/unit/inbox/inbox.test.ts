import { Sessions, SESSION_MS } from '../../../service/inbox/session';
import { ADMIN_KEY, API_KEY } from '../../api';
import { openBrowser, ORIGIN, type Browser } from './browser';

let browser: Browser;
beforeEach(async () => {
	browser = await openBrowser();
});
afterEach(async () => await browser.api.close());

const GATE = { runId: 'order-1', gate: 'approve', input: 1, title: 'Invoice 490', message: 'm' };
const open = async (members: object = {}): Promise<string> =>
	(await browser.api.post('/v1/gates', { ...GATE, ...members })).body.gateId;
const read = async (gateId: string) => (await browser.api.call('GET', `/v1/gates/${gateId}`)).body;

test('without a login every page leads to it, and it leads back to the gate', async () => {
	const gateId = await open();
	for (const path of ['/inbox', '/inbox/decided', `/inbox/gates/${gateId}`]) {
		const answer = await browser.get(path);
		expect(answer.status).toBe(303);
		const login = new URL(answer.headers['location'] as string, ORIGIN + path);
		expect(login.pathname).toBe('/inbox/login');
		expect(login.searchParams.get('gate')).toBe(path.includes('gates/') ? gateId : null);
	}
	const form = { name: 'Operator', key: ADMIN_KEY };
	const path = `/inbox/login?gate=${gateId}`;
	const answer = await browser.post(path, form, { origin: ORIGIN });
	const target = new URL(answer.headers['location'] as string, ORIGIN + path);
	expect(target.pathname).toBe(`/inbox/gates/${gateId}`);
});

test('the login leads nowhere but to a gate', async () => {
	const form = { name: 'Operator', key: ADMIN_KEY };
	const path = '/inbox/login?gate=//evil.example';
	const answer = await browser.post(path, form, { origin: ORIGIN });
	expect(new URL(answer.headers['location'] as string, ORIGIN + path).href).toBe(`${ORIGIN}/inbox`);
});

test('the cookie is for this site alone, and no script can read it', async () => {
	const answer = await browser.post(
		'/inbox/login',
		{ name: 'Operator', key: ADMIN_KEY },
		{ origin: ORIGIN, 'x-forwarded-proto': 'https' },
	);
	const cookie = answer.headers['set-cookie'] as string;
	for (const part of ['HttpOnly', 'SameSite=Strict', 'Secure', 'Path=/'])
		expect(cookie).toContain(part);
	expect(cookie).not.toContain(ADMIN_KEY);
});

test.each([
	['a wrong key', { name: 'Operator', key: 'no' }, 401],
	['the API key', { name: 'Operator', key: API_KEY }, 401],
	['no key', { name: 'Operator', key: '' }, 401],
	['no name', { name: ' \u0007\u202E '.trim().replace(/\S/g, ' '), key: ADMIN_KEY }, 400],
])('%s does not log in', async (_name, form, status) => {
	const answer = await browser.post('/inbox/login', form, { origin: ORIGIN });
	expect(answer.status).toBe(status);
	expect(answer.cookie).toBeUndefined();
});

test('guessing the key is slowed down, for a minute', async () => {
	const guess = (key: string) =>
		browser.post('/inbox/login', { name: 'M', key }, { origin: ORIGIN });
	for (let i = 0; i < 20; i++) expect((await guess(`wrong ${i}`)).status).toBe(401);
	expect((await guess(ADMIN_KEY)).status).toBe(429);
	browser.api.clock.advance(60_000);
	expect((await guess(ADMIN_KEY)).status).toBe(303);
});

test('open gates are listed, decided in the name of the login, and then in the history', async () => {
	const gateId = await open({ approvers: [{ name: 'Shift Operator' }] });
	const headers = await browser.login('Shift Operator');
	expect((await browser.get('/inbox', headers)).html).toContain(`inbox/gates/${gateId}`);
	expect((await browser.get('/inbox/decided', headers)).html).not.toContain(gateId);
	const path = `/inbox/gates/${gateId}`;
	expect((await browser.get(path, headers)).html).toContain('You decide as Shift Operator.');
	const answer = await browser.post(path, { decision: 'approve', comment: 'ok' }, headers);
	expect(answer.status).toBe(303);
	expect(await read(gateId)).toMatchObject({
		state: 'approved',
		decision: { by: 'Shift Operator', via: 'inbox', comment: 'ok' },
	});
	expect((await browser.get('/inbox', headers)).html).not.toContain(gateId);
	expect((await browser.get('/inbox/decided', headers)).html).toContain(gateId);
	const late = await browser.post(path, { decision: 'reject' }, headers);
	expect(late.status).toBe(409);
	expect(late.html).toContain('Decided by Shift Operator via the inbox');
});

test.each([
	['another site', { origin: 'https://evil.example' }],
	['a sandboxed frame', { origin: 'null' }],
	['a sibling site', { origin: ORIGIN, 'sec-fetch-site': 'same-site' }],
	['no browser', { origin: '' }],
])('a post from %s changes nothing, with a valid cookie too', async (_name, headers) => {
	const gateId = await open();
	const { cookie } = await browser.login();
	const path = `/inbox/gates/${gateId}`;
	const answer = await browser.post(path, { decision: 'approve' }, { cookie: cookie!, ...headers });
	expect(answer.status).toBe(403);
	expect(answer.html).toContain('another site');
	expect(await read(gateId)).toMatchObject({ state: 'open' });
	const login = await browser.post('/inbox/login', { name: 'Evil', key: ADMIN_KEY }, headers);
	expect(login.status).toBe(403);
	expect(login.cookie).toBeUndefined();
});

test('the origin that people know counts, where a proxy changes the host', async () => {
	const form = { name: 'Operator', key: ADMIN_KEY };
	const origin = new URL(browser.api.journal.publicUrl).origin;
	const headers = { origin, host: '10.0.0.5:5690', 'sec-fetch-site': 'same-origin' };
	expect((await browser.post('/inbox/login', form, headers)).status).toBe(303);
});

test('a post without a login decides nothing', async () => {
	const gateId = await open();
	const answer = await browser.post(
		`/inbox/gates/${gateId}`,
		{ decision: 'approve' },
		{ origin: ORIGIN },
	);
	expect(answer.status).toBe(303);
	expect(await read(gateId)).toMatchObject({ state: 'open' });
});

test('a session ends by time, by logging out, and when the admin key changes; altered ones are none', async () => {
	const headers = await browser.login();
	const out = await browser.post('/inbox/logout', {}, headers);
	expect(out.cookie).toBe('');
	browser.api.clock.advance(SESSION_MS);
	expect((await browser.get('/inbox', headers)).status).toBe(303);

	const secret = browser.api.journal.secret;
	const cookie = new Sessions(secret, 'old key').issue('Operator', 0);
	expect(new Sessions(secret, 'old key').read(cookie, 1)).toBe('Operator');
	expect(new Sessions(secret, 'new key').read(cookie, 1)).toBeUndefined();
	expect(new Sessions(Buffer.from('another'), 'old key').read(cookie, 1)).toBeUndefined();
	const [body, signature] = cookie.split('.');
	const forged = Buffer.from('{"by":"Boss","expiresAt":9e15}').toString('base64url');
	for (const bad of [`${forged}.${signature}`, `${body}.`, `${body}`, 'x.y', ''])
		expect(new Sessions(secret, 'old key').read(bad, 1)).toBeUndefined();
});

test('what is no gate is a page, not a failure', async () => {
	const headers = await browser.login();
	for (const gateId of ['0'.repeat(64), 'x', '%00'])
		expect((await browser.get(`/inbox/gates/${gateId}`, headers)).status).toBe(404);
	expect((await browser.get('/inbox?cursor=nonsense', headers)).status).toBe(400);
});

test('the inbox goes on to older gates', async () => {
	for (let i = 0; i < 51; i++) await open({ gate: `gate ${i}`, title: `Request ${i}.` });
	const headers = await browser.login();
	const first = await browser.get('/inbox', headers);
	expect(first.html).toContain('Request 50.');
	expect(first.html).not.toContain('Request 0.');
	const cursor = /\?cursor=([\w-]+)/.exec(first.html)![1];
	const second = await browser.get(`/inbox?cursor=${cursor}`, headers);
	expect(second.html).toContain('Request 0.');
	expect(second.html).not.toContain('Request 50.');
});
