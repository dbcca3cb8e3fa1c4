import type { Verdict } from '../../service/contract/steps';
import { parseRetryAfter } from './retry-after';
import { isSsrfBlock } from './ssrf-block';
import { hasStatus, type StatusList } from './status-list';

export interface Classification {
	verdict: Verdict;
	message: string;
	/** Code of the transport (`ECONNRESET`) or of the service (`insufficient_quota`). */
	code?: string;
	status?: number;
	retryAfterMs?: number;
}

export interface CallFacts {
	/** The call may be repeated without a second effect: GET, HEAD, PUT, DELETE, or the receiver honours the key. */
	repeatable: boolean;
	/** Unix epoch ms, for a Retry-After date. */
	now: number;
	/** What a person decided about statuses of answers; it wins over the table below. */
	statuses?: Partial<Record<Verdict, StatusList>>;
}

type Facts = Record<string, unknown>;

const MESSAGE_LIMIT = 2_000;

/** Codes that say: the request never left, or never reached a receiver. */
const NOT_SENT = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EAI_FAIL',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EHOSTDOWN',
	'ENETDOWN',
	'EADDRNOTAVAIL',
	'UND_ERR_CONNECT_TIMEOUT',
	'CERT_HAS_EXPIRED',
	'CERT_NOT_YET_VALID',
	'CERT_UNTRUSTED',
	'CERT_REVOKED',
	'CERT_REJECTED',
	'CERT_SIGNATURE_FAILURE',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_GET_ISSUER_CERT',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** Code of an error that says: what was to be sent could not be read, so nothing was. */
export const UNREADABLE_BODY = 'body_unreadable';

/** Codes that say: this request can never be sent. */
const NEVER_SENDABLE = new Set([
	UNREADABLE_BODY,
	'ERR_INVALID_URL',
	'ERR_BAD_OPTION',
	'ERR_BAD_OPTION_VALUE',
	'ERR_UNSUPPORTED_PROTOCOL',
	'ERR_INVALID_CHAR',
	'ERR_INVALID_HTTP_TOKEN',
	'ERR_HTTP_INVALID_HEADER_VALUE',
	'ERR_UNESCAPED_CHARACTERS',
]);

/** Codes of n8n's mail nodes that say: the mail server refused before it was given the mail. */
const MAIL_REFUSED = new Set(['EAUTH', 'EENVELOPE']);

/** Codes of model services that no waiting helps. */
const EXHAUSTED = new Set(['insufficient_quota']);
const OVERLOADED = new Set(['overloaded_error']);

const asFacts = (value: unknown): Facts | undefined =>
	typeof value === 'object' && value !== null ? (value as Facts) : undefined;

/** The error, what caused it, and the causes of those, outermost first. */
function chainOf(error: unknown): Facts[] {
	const chain: Facts[] = [];
	const queue = [error];
	while (queue.length > 0 && chain.length < 20) {
		const facts = asFacts(queue.shift());
		if (!facts || chain.includes(facts)) continue;
		chain.push(facts);
		queue.push(facts.cause, ...(Array.isArray(facts.errors) ? facts.errors : []));
	}
	return chain;
}

const toStatus = (value: unknown): number | undefined => {
	const number = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isInteger(number) && number >= 100 && number <= 599
		? number
		: undefined;
};

function statusOf(chain: Facts[]): number | undefined {
	for (const facts of chain) {
		const response = asFacts(facts.response);
		for (const value of [
			response?.status,
			response?.statusCode,
			facts.httpCode,
			facts.statusCode,
			facts.status,
		]) {
			const status = toStatus(value);
			if (status !== undefined) return status;
		}
	}
	return undefined;
}

/** Bodies and structured errors in which a service names its own code. */
const bodiesOf = (facts: Facts): Facts[] =>
	[facts, asFacts(facts.response)?.data, asFacts(facts.response)?.body, facts.error, facts.body]
		.map(asFacts)
		.filter((body) => body !== undefined)
		.flatMap((body) => [body, asFacts(body.error)])
		.filter((body) => body !== undefined);

/** n8n's NodeApiError has the code of the transport where the status of an answer would be. */
const transportCode = (facts: Facts): unknown =>
	toStatus(facts.httpCode) === undefined ? facts.httpCode : undefined;

function codesOf(chain: Facts[]): string[] {
	return chain
		.flatMap((facts) => [
			...bodiesOf(facts).flatMap((body) => [body.code, body.type]),
			transportCode(facts),
		])
		.filter((code): code is string => typeof code === 'string' && code.length <= 256);
}

function headerOf(chain: Facts[], name: string): unknown {
	for (const facts of chain) {
		for (const headers of [asFacts(facts.response)?.headers, facts.headers].map(asFacts)) {
			if (!headers) continue;
			const get = headers.get;
			const value = typeof get === 'function' ? get.call(headers, name) : headers[name];
			if (value !== undefined && value !== null) return value;
		}
	}
	return undefined;
}

/** True when the request went somewhere before it failed: a redirect's first receiver has seen it. */
const wasRedirected = (chain: Facts[]): boolean =>
	chain.some((facts) => {
		const request = asFacts(facts.request);
		const redirectable = asFacts(request?._redirectable) ?? request;
		return Number(redirectable?._redirectCount ?? 0) > 0;
	});

/**
 * True when nobody can tell whether it did: of a tool's error n8n hands on the code without the cause,
 * so the code may be that of a redirect's second receiver, unless the tool follows none.
 */
const mayBeRedirected = (chain: Facts[]): boolean => {
	const [facts] = chain;
	if (!facts || chain.length > 1 || typeof transportCode(facts) !== 'string') return false;
	return asFacts(asFacts(facts.context)?.request)?.followRedirect !== false;
};

function isNotSent(chain: Facts[], codes: string[]): boolean {
	if (wasRedirected(chain) || mayBeRedirected(chain)) return false;
	const connecting = chain.some(
		(facts) => facts.syscall === 'connect' && facts.code === 'ETIMEDOUT',
	);
	return connecting || codes.some((code) => NOT_SENT.has(code));
}

const VERDICTS: readonly Verdict[] = ['retryable', 'terminal', 'in_doubt'];

const decidedFor = (status: number, statuses: CallFacts['statuses']): Verdict | undefined =>
	VERDICTS.find((verdict) => hasStatus(statuses?.[verdict] ?? [], status));

function judge(
	chain: Facts[],
	codes: string[],
	status: number | undefined,
	retryAfterMs: number | undefined,
	repeatable: boolean,
): Verdict {
	const ambiguous: Verdict = repeatable ? 'retryable' : 'in_doubt';
	if (codes.some((code) => EXHAUSTED.has(code))) return 'terminal';
	if (status === undefined) {
		if (codes.some((code) => NEVER_SENDABLE.has(code) || MAIL_REFUSED.has(code))) return 'terminal';
		if (isSsrfBlock(chain[0]) && !wasRedirected(chain)) return 'terminal';
		if (codes.some((code) => OVERLOADED.has(code))) return 'retryable';
		return isNotSent(chain, codes) ? 'retryable' : ambiguous;
	}
	if (status === 429 || status === 529 || status === 425) return 'retryable';
	if (status === 503 && retryAfterMs !== undefined) return 'retryable';
	if (status === 408 || status >= 500) return ambiguous;
	// A redirect that was not followed: 307 and 308 ask to send again elsewhere, so nothing happened;
	// after the others something may have.
	if (status < 400) return status === 307 || status === 308 ? 'terminal' : ambiguous;
	return 'terminal';
}

function messageOf(chain: Facts[], status: number | undefined): string {
	const text = chain.map((facts) => facts.message).find((m) => typeof m === 'string' && m !== '');
	const message = (text as string | undefined) ?? (status ? `HTTP ${status}` : 'Unknown error');
	return message.slice(0, MESSAGE_LIMIT);
}

/**
 * The one classification of failed calls: what the journal is told, and so whether the step may be
 * tried again. An ambiguous error is not a retryable one: what may have had its effect is in doubt
 * unless the call is repeatable. Understands axios errors, n8n's NodeApiError, the errors of engine
 * requests (also after they went through JSON), and those of model clients. Judges by structure,
 * never by a message.
 */
export function classifyError(error: unknown, facts: CallFacts): Classification {
	const chain = chainOf(error);
	const status = statusOf(chain);
	const codes = codesOf(chain);
	const retryAfterMs = parseRetryAfter(headerOf(chain, 'retry-after'), facts.now);
	const decided = status === undefined ? undefined : decidedFor(status, facts.statuses);
	const verdict = decided ?? judge(chain, codes, status, retryAfterMs, facts.repeatable);
	return {
		verdict,
		message: typeof error === 'string' && error ? error : messageOf(chain, status),
		...(codes[0] !== undefined && { code: codes[0] }),
		...(status !== undefined && { status }),
		...(verdict === 'retryable' && retryAfterMs !== undefined && { retryAfterMs }),
	};
}
