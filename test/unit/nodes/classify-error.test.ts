import fc from 'fast-check';
import { classifyError, UNREADABLE_BODY } from '../../../nodes/shared/classify-error';

const NOW = Date.parse('2027-06-01T09:00:00.000Z');
const judge = (error: unknown, repeatable = false) =>
	classifyError(error, { repeatable, now: NOW });

/** An axios error with an answer. */
const answered = (status: number, headers: object = {}, data: unknown = '') =>
	Object.assign(new Error(`Request failed with status code ${status}`), {
		isAxiosError: true,
		response: { status, headers, data },
	});
/** An axios error without an answer. */
const broken = (code: string, more: object = {}) =>
	Object.assign(new Error(code.toLowerCase()), { isAxiosError: true, code, ...more });
/** What `httpRequestWithAuthentication` and n8n's own nodes throw. */
const nodeApi = (httpCode: string | null, cause?: unknown) =>
	Object.assign(new Error('The service was not able to process your request'), {
		name: 'NodeApiError',
		httpCode,
		cause,
	});

/** What n8n's engine hands on of a tool's NodeApiError: its own members, without the cause. */
const handedOn = (httpCode: string, followRedirect: boolean) =>
	JSON.parse(JSON.stringify({ ...nodeApi(httpCode), context: { request: { followRedirect } } }));

const verdicts: Array<[string, unknown, string, string]> = [
	// what, error, verdict where the call may not be repeated, verdict where it may
	['connection refused', broken('ECONNREFUSED'), 'retryable', 'retryable'],
	['unknown host', broken('ENOTFOUND'), 'retryable', 'retryable'],
	['name server busy', broken('EAI_AGAIN'), 'retryable', 'retryable'],
	['unreachable', broken('EHOSTUNREACH'), 'retryable', 'retryable'],
	['self-signed certificate', broken('DEPTH_ZERO_SELF_SIGNED_CERT'), 'retryable', 'retryable'],
	['expired certificate', broken('CERT_HAS_EXPIRED'), 'retryable', 'retryable'],
	['no connection in time', broken('ETIMEDOUT', { syscall: 'connect' }), 'retryable', 'retryable'],
	[
		'both addresses refused',
		broken('ERR_NETWORK', {
			cause: { errors: [{ code: 'ECONNREFUSED' }, { code: 'ECONNREFUSED' }] },
		}),
		'retryable',
		'retryable',
	],
	['reset', broken('ECONNRESET'), 'in_doubt', 'retryable'],
	['time-out after sending', broken('ECONNABORTED'), 'in_doubt', 'retryable'],
	['time-out while reading', broken('ETIMEDOUT', { syscall: 'read' }), 'in_doubt', 'retryable'],
	['broken pipe', broken('EPIPE'), 'in_doubt', 'retryable'],
	[
		'refused after a redirect',
		broken('ECONNREFUSED', { request: { _redirectCount: 1 } }),
		'in_doubt',
		'retryable',
	],
	['not a URL', broken('ERR_INVALID_URL'), 'terminal', 'terminal'],
	['a file that is gone', broken(UNREADABLE_BODY), 'terminal', 'terminal'],
	['a header name with a space', broken('ERR_INVALID_HTTP_TOKEN'), 'terminal', 'terminal'],
	[
		'an address that n8n itself refuses',
		nodeApi(null, broken('ERR', { cause: { name: 'SsrfBlockedIpError' } })),
		'terminal',
		'terminal',
	],
	[
		'the same after a redirect',
		broken('ERR', { cause: { name: 'SsrfBlockedIpError' }, request: { _redirectCount: 1 } }),
		'in_doubt',
		'retryable',
	],
	['429', answered(429), 'retryable', 'retryable'],
	['529', answered(529), 'retryable', 'retryable'],
	['425', answered(425), 'retryable', 'retryable'],
	['503 that says when', answered(503, { 'retry-after': '2' }), 'retryable', 'retryable'],
	['503 that does not', answered(503), 'in_doubt', 'retryable'],
	['503 with nonsense', answered(503, { 'retry-after': 'soon' }), 'in_doubt', 'retryable'],
	['408', answered(408), 'in_doubt', 'retryable'],
	['500', answered(500), 'in_doubt', 'retryable'],
	['502', answered(502), 'in_doubt', 'retryable'],
	['504', answered(504), 'in_doubt', 'retryable'],
	['507', answered(507), 'in_doubt', 'retryable'],
	['400', answered(400), 'terminal', 'terminal'],
	['401', answered(401), 'terminal', 'terminal'],
	['404', answered(404), 'terminal', 'terminal'],
	['409', answered(409), 'terminal', 'terminal'],
	['422', answered(422), 'terminal', 'terminal'],
	['303 to a POST', answered(303), 'in_doubt', 'retryable'],
	['308 to a POST', answered(308), 'terminal', 'terminal'],
	[
		'quota used up, by code',
		answered(429, {}, { error: { code: 'insufficient_quota', type: 'insufficient_quota' } }),
		'terminal',
		'terminal',
	],
	[
		'quota in words only',
		answered(429, {}, { error: { message: 'insufficient_quota: tokens per minute' } }),
		'retryable',
		'retryable',
	],
	['NodeApiError 503', nodeApi('503'), 'in_doubt', 'retryable'],
	['NodeApiError 404', nodeApi('404'), 'terminal', 'terminal'],
	[
		'NodeApiError of a refused one',
		nodeApi(null, broken('ECONNREFUSED')),
		'retryable',
		'retryable',
	],
	['NodeApiError of a reset one', nodeApi(null, broken('ECONNRESET')), 'in_doubt', 'retryable'],
	[
		'NodeApiError whose cause says when',
		nodeApi('503', answered(503, { 'retry-after': '3' })),
		'retryable',
		'retryable',
	],
	[
		'refused, of a tool that follows no redirects',
		handedOn('ECONNREFUSED', false),
		'retryable',
		'retryable',
	],
	[
		'refused, of a tool that may have followed one',
		handedOn('ECONNREFUSED', true),
		'in_doubt',
		'retryable',
	],
	['reset, of a tool', handedOn('ECONNRESET', false), 'in_doubt', 'retryable'],
	['bad header of a tool', handedOn('ERR_INVALID_HTTP_TOKEN', true), 'terminal', 'terminal'],
	['mail refused before it was given', handedOn('EENVELOPE', true), 'terminal', 'terminal'],
	['mail broken off while it was given', handedOn('EMESSAGE', true), 'in_doubt', 'retryable'],
	['mail server, wrong password', handedOn('EAUTH', true), 'terminal', 'terminal'],
	[
		'NodeApiError out of stored data',
		JSON.parse(JSON.stringify({ ...nodeApi('422'), message: 'no' })),
		'terminal',
		'terminal',
	],
	[
		'model client, rate limit',
		Object.assign(new Error('rate'), { status: 429, error: { code: 'rate_limit_exceeded' } }),
		'retryable',
		'retryable',
	],
	[
		'model client, quota',
		Object.assign(new Error('q'), { status: 429, code: 'insufficient_quota' }),
		'terminal',
		'terminal',
	],
	[
		'overloaded inside HTTP 200',
		Object.assign(new Error('o'), { error: { error: { type: 'overloaded_error' } } }),
		'retryable',
		'retryable',
	],
	['a tool that threw', new Error('Cannot read properties of undefined'), 'in_doubt', 'retryable'],
	[
		'status that is none',
		Object.assign(new Error('x'), { status: 'waiting' }),
		'in_doubt',
		'retryable',
	],
	['status out of range', Object.assign(new Error('x'), { status: 42 }), 'in_doubt', 'retryable'],
	['a text', 'something went wrong', 'in_doubt', 'retryable'],
	['nothing', undefined, 'in_doubt', 'retryable'],
	[
		'a circle',
		(() => {
			const e: any = new Error('c');
			e.cause = e;
			return e;
		})(),
		'in_doubt',
		'retryable',
	],
];

it.each(verdicts)('%s', (_what, error, once, repeatable) => {
	expect(judge(error).verdict).toBe(once);
	expect(judge(error, true).verdict).toBe(repeatable);
});

it('tells status, code and the words of the error', () => {
	expect(judge(nodeApi('429', answered(429, { 'retry-after': '7' })))).toEqual({
		verdict: 'retryable',
		status: 429,
		retryAfterMs: 7000,
		message: 'The service was not able to process your request',
	});
	expect(judge(broken('ECONNRESET'))).toEqual({
		verdict: 'in_doubt',
		code: 'ECONNRESET',
		message: 'econnreset',
	});
});

it('reads headers of model clients, which are no plain objects', () => {
	const error = Object.assign(new Error('rate'), {
		status: 429,
		headers: new Headers({ 'Retry-After': '4' }),
	});
	expect(judge(error).retryAfterMs).toBe(4000);
});

it('keeps a message that is too long within bounds', () => {
	expect(judge(new Error('x'.repeat(100_000))).message).toHaveLength(2000);
});

describe('what a person decided about statuses', () => {
	const decide = (error: unknown, repeatable: boolean, statuses: object) =>
		classifyError(error, { repeatable, now: NOW, statuses }).verdict;
	const status = fc.integer({ min: 100, max: 599 });

	it('wins over the table, for the statuses that it names and for no other', () => {
		fc.assert(
			fc.property(
				status,
				status,
				fc.constantFrom('retryable', 'terminal', 'in_doubt'),
				fc.boolean(),
				(named, got, verdict, repeatable) => {
					const error = answered(got, { 'retry-after': '7' }, { code: 'insufficient_quota' });
					const { verdict: usual } = judge(error, repeatable);
					expect(decide(error, repeatable, { [verdict]: [[named, named]] })).toBe(
						got === named ? verdict : usual,
					);
				},
			),
		);
	});

	it('says nothing about a call without an answer', () => {
		const all = [[100, 599]];
		expect(decide(broken('ECONNRESET'), false, { retryable: all })).toBe('in_doubt');
		expect(decide(broken('ECONNREFUSED'), false, { terminal: all })).toBe('retryable');
	});

	it('keeps the pause that the receiver asks for', () => {
		const error = answered(409, { 'retry-after': '7' });
		expect(
			classifyError(error, { repeatable: false, now: NOW, statuses: { retryable: [[409, 409]] } }),
		).toMatchObject({ verdict: 'retryable', status: 409, retryAfterMs: 7_000 });
	});
});
