import type { IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { Gate, OpenGateAnswer, OpenGateRequest } from '../../service/contract/gates';
import type { Problem } from '../../service/contract/problem';
import type {
	ClaimAnswer,
	ClaimManyItem,
	ClaimRequest,
	CompleteManyItem,
	CompleteRequest,
	FailRequest,
	ManyAnswer,
	RenewAnswer,
	RenewRequest,
	StateAnswer,
} from '../../service/contract/steps';
import { attempt } from './attempt';
import { JournalError } from './journal-error';
import { isSsrfBlock } from './ssrf-block';

/** The part of any n8n context that the client needs. */
export interface JournalContext {
	getCredentials<T extends object>(type: string): Promise<T>;
	helpers: { httpRequest(options: IHttpRequestOptions): Promise<unknown> };
}

export interface JournalClientOptions {
	/** How long claims and gate requests wait for a journal that does not answer, in ms (default 60 s). */
	patienceMs?: number;
	/** The lease asked for, in ms: settling waits that long for the journal, and at least 120 s. */
	leaseMs?: number;
}

/**
 * The only HTTP to the journal. Transport errors and 5xx are tried again with backoff, unless the
 * journal says that it is no use; every other refusal, and a patience that ran out, is a `JournalError`.
 */
export interface JournalClient {
	/** Scheme, host and port of the journal, for messages. */
	readonly origin: string;
	/** Asks for the right to execute a step. One `claimId` a call, kept over transport retries. */
	claim(request: Omit<ClaimRequest, 'claimId'>): Promise<ClaimAnswer>;
	/** As `claim` for many steps in one request, without waiting for other holders; an outcome for each. */
	claimMany(requests: Array<Omit<ClaimManyItem, 'claimId'>>): Promise<Array<Outcome<ClaimAnswer>>>;
	complete(key: string, request: CompleteRequest): Promise<StateAnswer>;
	/** As `complete` for many steps in one request; an outcome for each. */
	completeMany(steps: CompleteManyItem[]): Promise<Array<Outcome<StateAnswer>>>;
	fail(key: string, request: FailRequest): Promise<StateAnswer>;
	renew(key: string, request: RenewRequest): Promise<RenewAnswer>;
	openGate(request: OpenGateRequest): Promise<OpenGateAnswer>;
	readGate(gateId: string): Promise<Gate>;
}

const ANSWER_MS = 10_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
const SETTLE_PATIENCE_MS = 120_000;

interface Answer {
	statusCode: number;
	body: unknown;
}

/** What one of many steps came to. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; error: JournalError };

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const isProblem = (body: unknown): body is Problem =>
	isObject(body) && typeof body.code === 'string' && typeof body.detail === 'string';

/** An answer that says no. Without a problem document it does not come from a journal. */
const refusal = (status: number, problem: Problem | undefined, origin: string): JournalError =>
	new JournalError({
		code: problem?.code ?? 'not_a_journal',
		status,
		problem,
		origin,
		retryable: problem?.retryAfterMs !== undefined,
	});

const parseAddress = (baseUrl: unknown): URL => {
	const url = URL.parse(String(baseUrl ?? ''));
	if (!url || !/^https?:$/.test(url.protocol)) {
		throw new JournalError({ code: 'bad_address', origin: '', retryable: false });
	}
	return url;
};

/** Opens the client with the `journalApi` credential of the calling node. */
export async function createJournalClient(
	context: JournalContext,
	options: JournalClientOptions = {},
): Promise<JournalClient> {
	const credential = await context.getCredentials<{ baseUrl: string; apiKey: string }>(
		'journalApi',
	);
	const address = parseAddress(credential.baseUrl);
	const { origin } = address;
	const root = origin + address.pathname.replace(/\/+$/, '');
	const patienceMs = options.patienceMs ?? 60_000;
	const settlePatienceMs = Math.max(SETTLE_PATIENCE_MS, options.leaseMs ?? 0);

	async function ask(
		method: IHttpRequestMethods,
		path: string,
		body: object | undefined,
		timeout: number,
	): Promise<Answer | undefined> {
		const answer = await attempt(
			context.helpers.httpRequest({
				method,
				url: root + path,
				headers: { authorization: `Bearer ${credential.apiKey}` },
				...(body && { body: body as IHttpRequestOptions['body'] }),
				json: true,
				timeout,
				disableFollowRedirect: true,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
			}),
		);
		if (answer.ok) return answer.value as Answer;
		if (isSsrfBlock(answer.error)) {
			throw new JournalError({ code: 'blocked', origin, retryable: false });
		}
		return undefined;
	}

	async function send<T>(
		method: IHttpRequestMethods,
		path: string,
		body: object | undefined,
		patience: number,
		waitMs = 0,
	): Promise<T> {
		const startedAt = Date.now();
		const giveUpAt = startedAt + patience + waitMs;
		for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
			const answer = await ask(method, path, body, Math.min(ANSWER_MS, patience) + waitMs);
			const status = answer?.statusCode;
			if (answer && answer.statusCode < 300 && isObject(answer.body)) return answer.body as T;
			const said = answer?.body;
			const problem = isProblem(said) ? said : undefined;
			// A problem that comes from the journal says itself whether asking again can help.
			if (answer && (answer.statusCode < 500 || (problem && problem.retryAfterMs === undefined)))
				throw refusal(answer.statusCode, problem, origin);
			const wait = Math.max(pause, Math.min(problem?.retryAfterMs ?? 0, LONGEST_PAUSE_MS));
			if (Date.now() + wait > giveUpAt) {
				const code = problem?.code ?? 'unreachable';
				const triedMs = Date.now() - startedAt;
				throw new JournalError({ code, status, problem, origin, triedMs, retryable: true });
			}
			await sleep(wait);
		}
	}

	async function sendMany<T>(
		verb: 'claim-many' | 'complete-many',
		steps: object[],
		patience: number,
	): Promise<Array<Outcome<T>>> {
		const path = `/v1/steps/${verb}`;
		const { results } = await send<ManyAnswer<T>>('POST', path, { steps }, patience);
		return results.map(({ status, body }) =>
			status < 300
				? { ok: true, value: body as T }
				: { ok: false, error: refusal(status, body as Problem, origin) },
		);
	}

	const step = (key: string, verb: string) => `/v1/steps/${encodeURIComponent(key)}/${verb}`;
	return {
		origin,
		claim: async (request) =>
			await send(
				'POST',
				'/v1/steps/claim',
				{ ...request, claimId: crypto.randomUUID() },
				patienceMs,
				request.waitMs,
			),
		claimMany: async (requests) =>
			await sendMany(
				'claim-many',
				requests.map((request) => ({ ...request, claimId: crypto.randomUUID() })),
				patienceMs,
			),
		completeMany: async (steps) => await sendMany('complete-many', steps, settlePatienceMs),
		complete: async (key, request) =>
			await send('POST', step(key, 'complete'), request, settlePatienceMs),
		fail: async (key, request) => await send('POST', step(key, 'fail'), request, settlePatienceMs),
		renew: async (key, request) =>
			await send('POST', step(key, 'renew'), request, settlePatienceMs),
		openGate: async (request) => await send('POST', '/v1/gates', request, patienceMs),
		readGate: async (gateId) =>
			await send('GET', `/v1/gates/${encodeURIComponent(gateId)}`, undefined, patienceMs),
	};
}
