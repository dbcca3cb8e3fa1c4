/** Operation HTTP Request in n8n's engine: what each option changes, and what is refused before the claim. */
import { createServer as createHttp, request as forward } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { startJournal, type Journal } from '../journal-process';
import {
	startReceiver,
	type Answer,
	type Received,
	type Receiver,
} from '../stand-ins/http-receiver';
import { runInCore } from './idempotent-tool-call-core';
import { selfSigned } from './self-signed';

jest.setTimeout(60_000);

let journal: Journal;
let receiver: Receiver;
/** On another port, and with TLS. */
let secure: Receiver;
let runs = 0;
let runId: string;

beforeAll(async () => {
	[journal, receiver, secure] = await Promise.all([
		startJournal(),
		startReceiver(),
		startReceiver((listener) => createHttps(selfSigned, listener), 'https'),
	]);
});
afterAll(async () => await Promise.all([journal?.stop(), receiver?.stop(), secure?.stop()]));
beforeEach(() => {
	receiver.received.length = 0;
	receiver.answer = () => ({});
	secure.received.length = 0;
	runId = `options-${++runs}`;
});

const run = async (
	options: Record<string, unknown>,
	parameters: Record<string, unknown> = {},
	executionId?: string,
) =>
	await runInCore({
		credential: journal,
		executionId,
		parameters: {
			...{ operation: 'httpRequest', runId, method: 'POST', url: `${receiver.baseUrl}/in` },
			...parameters,
		},
		options,
	});

async function steps() {
	const { body } = await journal.request('GET', `/v1/runs/workflow-1%3A${runId}`);
	return (body.steps ?? []) as Array<{ key: string; state: string; attempt: number }>;
}
const headers = (...given: Array<[string, string]>) => ({
	headers: { parameters: given.map(([name, value]) => ({ name, value })) },
});
/** One answer after the other, the last one for ever. */
const inTurn = (...answers: Answer[]) => {
	let at = 0;
	return () => answers[Math.min(at++, answers.length - 1)]!;
};

describe('the key’s header', () => {
	it.each<[string, Record<string, unknown>, Record<string, unknown>, string, boolean]>([
		['by default', {}, {}, 'idempotency-key', true],
		['another one', { keyHeader: 'PayPal-Request-Id' }, {}, 'paypal-request-id', true],
		['another one: not the usual', { keyHeader: 'X-Request-Id' }, {}, 'idempotency-key', false],
		['none', { keyHeader: '' }, {}, 'idempotency-key', false],
	])('%s', async (_what, options, parameters, name, carried) => {
		await run(options, parameters);
		const [step] = await steps();
		expect(receiver.received[0]!.headers[name]).toBe(carried ? step!.key : undefined);
	});

	it('that a person gives under Headers wins', async () => {
		await run({ keyHeader: 'X-Request-Id' }, headers(['x-request-id', 'mine']));
		expect(receiver.received[0]!.headers['x-request-id']).toBe('mine');
	});
});

describe('what a status means', () => {
	it.each<[string, Record<string, unknown>, number, string, number, RegExp | undefined]>([
		// what, options, status of the first answer (then 200), state, requests, sentence
		['409 is a refusal', {}, 409, 'failed', 1, /HTTP 409/],
		['409 as success', { successStatuses: '200-299, 409' }, 409, 'completed', 1, undefined],
		['409 to be tried again', { retryStatuses: '409' }, 409, 'completed', 2, undefined],
		['409 in doubt', { doubtStatuses: '400-409' }, 409, 'in_doubt', 1, /is in doubt.*409/],
		['500 is a doubt', {}, 500, 'in_doubt', 1, /is in doubt/],
		['500 given up', { terminalStatuses: '500' }, 500, 'failed', 1, /HTTP 500/],
		['500 to be tried again', { retryStatuses: '500-504' }, 500, 'completed', 2, undefined],
		['429 given up', { terminalStatuses: '429' }, 429, 'failed', 1, /HTTP 429/],
		['202 to be tried again', { retryStatuses: '202' }, 202, 'completed', 2, undefined],
		['201 as a refusal', { successStatuses: '200' }, 201, 'in_doubt', 1, /is in doubt/],
		['302 as success', { successStatuses: '200-299, 302' }, 302, 'completed', 1, undefined],
	])('%s', async (_what, options, status, state, requests, sentence) => {
		receiver.answer = inTurn({ status }, { status: 200 });
		const { error } = await run(options);
		if (sentence) expect(error?.message).toMatch(sentence);
		else expect(error).toBeUndefined();
		expect(await steps()).toMatchObject([{ state, attempt: requests }]);
		expect(receiver.received).toHaveLength(requests);
	});

	it('Retry-After is obeyed also for a status that a person chose', async () => {
		receiver.answer = inTurn({ status: 202, headers: { 'retry-after': '1' } }, { status: 200 });
		const began = Date.now();
		await run({ retryStatuses: '202' });
		expect(Date.now() - began).toBeGreaterThanOrEqual(1_000);
		expect(receiver.received).toHaveLength(2);
	});
});

describe('headers in the key', () => {
	const tenant = (name: string, value: string) => headers([name, value], ['X-Date', 'now']);
	const option = { headersInKey: 'x-tenant' };

	it('tell calls apart by their values, whatever the case of their names', async () => {
		await run(option, tenant('X-Tenant', 'a'));
		const same = await run(option, tenant('x-TENANT', 'a'));
		expect(same.items[0]).toMatchObject({ durable: { replayed: true } });
		const other = await run(option, tenant('X-Tenant', 'b'));
		expect(other.error?.message).toMatch(/changed: \/headers\/x-tenant/);
		expect(receiver.received).toHaveLength(1);
	});

	it('are none by default', async () => {
		await run({}, tenant('X-Tenant', 'a'));
		const other = await run({}, tenant('X-Tenant', 'b'));
		expect(other.items[0]).toMatchObject({ durable: { replayed: true } });
	});
});

describe('redirects', () => {
	const redirect = (status: number, location: string) => (request: Received) =>
		request.url === '/in' ? { status, headers: { location } } : {};
	const body = { sendBody: true, body: '{"a":1}' };

	it.each<[string, number, Record<string, unknown>, string]>([
		['302 of a POST is a doubt', 302, {}, 'in_doubt'],
		['302 of a POST is one also where 307 is followed', 302, { followUnsafe: true }, 'in_doubt'],
		['307 of a POST is a refusal', 307, {}, 'failed'],
		[
			'308 is one where none may be followed',
			308,
			{ followUnsafe: true, maxRedirects: 0 },
			'failed',
		],
	])('%s', async (_what, status, options, state) => {
		receiver.answer = redirect(status, '/there');
		await run(options, body);
		expect(await steps()).toMatchObject([{ state }]);
		expect(receiver.received.map(({ url }) => url)).toEqual(['/in']);
	});

	it.each([307, 308])('%s of a POST is followed where a person says so', async (status) => {
		const parameters = { ...body, query: { parameters: [{ name: 'a', value: '1' }] } };
		receiver.answer = ({ url }) =>
			url === '/in?a=1' ? { status, headers: { location: '/there?b=2' } } : {};
		expect((await run({ followUnsafe: true }, parameters)).items[0]).toMatchObject({
			statusCode: 200,
		});
		const [first, second] = receiver.received;
		expect([second!.method, second!.url]).toEqual(['POST', '/there?b=2']);
		expect(second!.body.toString()).toBe('{"a":1}');
		expect(second!.headers['idempotency-key']).toBe(first!.headers['idempotency-key']);
	});

	it('goes to no other host and port, and not on for ever', async () => {
		receiver.answer = redirect(307, `${secure.baseUrl.replace('127.0.0.1', 'localhost')}/x`);
		await run({ followUnsafe: true }, body);
		expect(await steps()).toMatchObject([{ state: 'failed' }]);
		expect(secure.received).toEqual([]);

		receiver.received.length = 0;
		receiver.answer = () => ({ status: 307, headers: { location: '/in' } });
		await run(
			{ followUnsafe: true, maxRedirects: 3, onInputChange: 'run' },
			{ ...body, body: '2' },
		);
		expect(receiver.received).toHaveLength(4);
	});

	it('a GET is followed, at most as often as a person says', async () => {
		receiver.answer = redirect(302, '/there');
		const get = { method: 'GET' };
		expect((await run({}, get)).items[0]).toMatchObject({ statusCode: 200 });
		expect(receiver.received).toHaveLength(2);
		receiver.received.length = 0;
		const again = { ...get, url: `${receiver.baseUrl}/in`, runId: `${runId}-none` };
		const kept = await run({ maxRedirects: 0, successStatuses: '200-399' }, again);
		expect(kept.items[0]).toMatchObject({ statusCode: 302 });
		expect(receiver.received).toHaveLength(1);
	});
});

describe('a password', () => {
	let other: Receiver;
	beforeAll(async () => (other = await startReceiver()));
	afterAll(async () => await other?.stop());
	beforeEach(() => {
		other.received.length = 0;
		receiver.answer = ({ method }) =>
			method === 'GET'
				? { status: 302, headers: { location: `${other.baseUrl}/there` } }
				: { status: 500 };
	});
	const signedIn = headers(['Authorization', 'Bearer the-secret']);

	it('does not go along to where a GET is redirected', async () => {
		await run({}, { method: 'GET', ...signedIn });
		expect(receiver.received[0]!.headers.authorization).toBe('Bearer the-secret');
		expect(other.received.map(({ headers: { authorization } }) => authorization)).toEqual([
			undefined,
		]);
	});

	it('does not go along to where a look-up is redirected', async () => {
		const lookUp = { lookUpUrl: `${receiver.baseUrl}/look`, lookUpHeaders: signedIn.headers };
		await run({ onInDoubt: 'verify', lookUpBy: 'httpRequest', lookAfterSeconds: 0, ...lookUp });
		expect(receiver.received.at(-1)!.headers.authorization).toBe('Bearer the-secret');
		expect(other.received.map(({ headers: { authorization } }) => authorization)).toEqual([
			undefined,
		]);
	});
});

describe('a certificate that cannot be checked', () => {
	it('stops the request before it is sent', async () => {
		await run({ maxAttempts: 1 }, { url: `${secure.baseUrl}/in` });
		expect(secure.received).toEqual([]);
		expect(await steps()).toMatchObject([{ state: 'failed' }]);
	});

	it('does not where a person says so', async () => {
		const { items } = await run({ ignoreSslIssues: true }, { url: `${secure.baseUrl}/in` });
		expect(items[0]).toMatchObject({ statusCode: 200 });
		expect(secure.received).toHaveLength(1);
	});
});

it('a proxy passes the request on, with its own password, which nobody keeps', async () => {
	const asked: Array<string | undefined> = [];
	const proxy = await startReceiver((listener) =>
		createHttp((incoming, outgoing) => {
			if (!incoming.url!.startsWith('http:')) return listener(incoming, outgoing as never);
			asked.push(incoming.headers['proxy-authorization']);
			const { method, headers: given } = incoming;
			const onward = forward(incoming.url!, { method, headers: given }, (answer) => {
				outgoing.writeHead(answer.statusCode!, answer.headers);
				answer.pipe(outgoing);
			});
			incoming.pipe(onward);
		}),
	);
	try {
		const address = proxy.baseUrl.replace('//', '//shop:s%40fe@');
		const { items } = await run({ proxy: address });
		expect(items[0]).toMatchObject({ statusCode: 200 });
		expect(receiver.received).toHaveLength(1);
		expect(asked).toEqual([`Basic ${Buffer.from('shop:s@fe').toString('base64')}`]);
		const [step] = await steps();
		const { body } = await journal.request('GET', `/v1/steps/${step!.key}`);
		expect(JSON.stringify(body)).not.toMatch(/s%40fe|s@fe/);
	} finally {
		await proxy.stop();
	}
});

it.each<[string, Record<string, unknown>, RegExp]>([
	['success', { successStatuses: '2xx' }, /"?Status Codes: Success must be statuses/],
	['try again', { retryStatuses: '504-500' }, /Try Again On must be statuses/],
	['give up', { terminalStatuses: '409;410' }, /Give Up On must be statuses/],
	['in doubt', { doubtStatuses: 'all' }, /In Doubt On must be statuses/],
	[
		'a status with two meanings',
		{ retryStatuses: '500-504', doubtStatuses: '400, 502' },
		/Try Again On and .*In Doubt On both name 502/,
	],
	['key header', { keyHeader: 'X Y' }, /Idempotency Key Header must be the name/],
	['key header of others', { keyHeader: 'Authorization' }, /Idempotency Key Header must be/],
	['redirects', { maxRedirects: -1 }, /Max Redirects must be/],
	['redirects in words', { maxRedirects: 'many' }, /Max Redirects must be/],
	['proxy', { proxy: 'proxy:3128' }, /Proxy must be an address/],
	['proxy of another kind', { proxy: 'socks5://proxy:3128' }, /Proxy must be an address/],
	['a header that is not sent', { headersInKey: 'X-Gone' }, /names "x-gone", which is not/],
	['a password', { headersInKey: 'X-A, AUTHORIZATION' }, /names "authorization".*secret/],
	['cookies', { headersInKey: 'Cookie' }, /names "cookie".*secret/],
	['a proxy’s password', { headersInKey: 'proxy-authorization' }, /names "proxy-auth.*secret/],
])('refused before the claim: %s', async (_what, options, sentence) => {
	const { error } = await run(options);
	expect(error?.message).toMatch(sentence);
	expect(await steps()).toEqual([]);
	expect(receiver.received).toEqual([]);
});
