import type { IExecuteFunctions, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';
import { sendByN8n } from '../http-client';
import type { HttpAnswer } from './http-answer';
import { FORM_TYPE, type HttpBody } from './http-body';
import type { HttpOptions } from './http-options';

/** Methods that change nothing: repeating them after a crash is always right. */
export const SAFE = new Set(['GET', 'HEAD']);

/** One request, as the panel describes it. */
export interface Call {
	method: IHttpRequestMethods;
	url: string;
	query: Record<string, string | string[]>;
	headers: Record<string, string>;
	body?: HttpBody;
	authenticate: boolean;
	options: HttpOptions;
}

const find = (headers: Call['headers'], name: string) =>
	Object.keys(headers).findLast((each) => each.toLowerCase() === name.toLowerCase());

/** Of several spellings of a name the last one is sent. */
export const headerOf = (headers: Call['headers'], name: string): string | undefined =>
	headers[find(headers, name) ?? ''];

function headersFor({ body, headers, options }: Call, key: string): Call['headers'] {
	const { keyHeader, answer } = options;
	return {
		accept: answer.format === 'auto' ? 'application/json' : '*/*',
		...(body?.contentType !== undefined && { 'content-type': body.contentType }),
		...(body?.bytes !== undefined && { 'content-length': String(body.bytes) }),
		...headers,
		...(keyHeader !== undefined && find(headers, keyHeader) === undefined && { [keyHeader]: key }),
	};
}

async function requestOptions(call: Call, key: string): Promise<IHttpRequestOptions> {
	const { body, options } = call;
	const { answer, proxy } = options;
	const content = await body?.open();
	const headers = headersFor(call, key);
	// n8n's client takes what has exactly this type for pairs, and fails with bytes.
	const type = find(headers, 'content-type');
	if (type && headers[type] === FORM_TYPE && typeof content !== 'string')
		headers[type] = `${FORM_TYPE};charset=utf-8`;
	const follows = SAFE.has(call.method) && options.maxRedirects > 0;
	return {
		method: call.method,
		url: call.url,
		qs: call.query,
		arrayFormat: 'repeat',
		headers,
		...(content !== undefined && { body: content as IHttpRequestOptions['body'] }),
		timeout: options.timeoutMs,
		// Whoever answers a POST with a redirect has seen it; following would hide that.
		...(follows ? { maxRedirects: options.maxRedirects } : { disableFollowRedirect: true }),
		// n8n would hand a password on to whatever host a redirect names.
		sendCredentialsOnCrossOriginRedirect: false,
		...(options.ignoreSslIssues && { skipSslCertificateValidation: true }),
		...(proxy && { proxy }),
		...(answer.format !== 'auto' && { encoding: 'arraybuffer' as const }),
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	};
}

/**
 * Where 307 and 308 send a request again: they say that nothing was done yet. Only to the same host,
 * and not from https to http, since the credential goes along.
 */
function nextUrl({ statusCode, headers }: HttpAnswer, from: string): string | undefined {
	if (statusCode !== 307 && statusCode !== 308) return undefined;
	const { location } = headers;
	const [here, there] = [new URL(from), URL.parse(String(location ?? ''), from)];
	if (typeof location !== 'string' || !there || there.hostname !== here.hostname) return undefined;
	if (there.protocol === here.protocol) return there.port === here.port ? there.href : undefined;
	return here.protocol === 'http:' && there.protocol === 'https:' ? there.href : undefined;
}

/**
 * Sends the request, with the step's key in a header, and returns the answer whatever its status.
 * @throws what n8n's client throws where there is no answer
 */
export async function sendRequest(
	context: IExecuteFunctions,
	call: Call,
	key: string,
): Promise<HttpAnswer> {
	let next = call;
	for (let redirects = 0; ; redirects++) {
		const options = await requestOptions(next, key);
		const answer = (await sendByN8n(context, call.authenticate, options)) as HttpAnswer;
		const { followUnsafe, maxRedirects } = call.options;
		const follows = followUnsafe && !SAFE.has(call.method) && redirects < maxRedirects;
		const url = follows ? nextUrl(answer, next.url) : undefined;
		if (url === undefined) return answer;
		// The new address has its own query.
		next = { ...call, url, query: {} };
	}
}
