import type { IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { Gate, OpenGateAnswer, OpenGateRequest } from '../../service/contract/gates';
import type { Problem } from '../../service/contract/problem';
import type {
	ClaimAnswer,
	ClaimRequest,
	CompleteRequest,
	FailRequest,
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
 * The only HTTP to the journal. Transport errors and 5xx are tried again with backoff; every other
 * refusal, and a patience that ran out, is a `JournalError`.
 */
export interface JournalClient {
	/** Scheme, host and port of the journal, for messages. */
	readonly origin: string;
	/** Asks for the right to execute a step. One `claimId` a call, kept over transport retries. */
	claim(request: Omit<ClaimRequest, 'claimId'>): Promise<ClaimAnswer>;
	complete(key: string, request: CompleteRequest): Promise<StateAnswer>;
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

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const isProblem = (body: unknown): body is Problem =>
	isObject(body) && typeof body.code === 'string' && typeof body.detail === 'string';

const parseAddress = (baseUrl: unknown): URL => {
	const url = URL.parse(String(baseUrl ?? ''));
	if (!url || !/^https?:$/.test(url.protocol)) {
		throw new JournalError({ code: 'bad_address', origin: '', retryable: false });
	}
	return url;
};

/**
 * Opens the client at the first item that needs it, and gives the same one to all others: reading the
 * credential costs as much as a call of the journal. What cannot be opened is tried again by the next.
 */
export function journalForAllItems(
	context: JournalContext,
): (leaseMs: number) => Promise<JournalClient> {
	let client: JournalClient | undefined;
	return async (leaseMs) => (client ??= await createJournalClient(context, { leaseMs }));
}

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
			if (answer && answer.statusCode < 500) {
				const code = problem?.code ?? 'not_a_journal';
				throw new JournalError({
					code,
					status,
					problem,
					origin,
					retryable: problem?.retryAfterMs !== undefined,
				});
			}
			const wait = Math.max(pause, Math.min(problem?.retryAfterMs ?? 0, LONGEST_PAUSE_MS));
			if (Date.now() + wait > giveUpAt) {
				const code = problem?.code ?? 'unreachable';
				const triedMs = Date.now() - startedAt;
				throw new JournalError({ code, status, problem, origin, triedMs, retryable: true });
			}
			await sleep(wait);
		}
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
