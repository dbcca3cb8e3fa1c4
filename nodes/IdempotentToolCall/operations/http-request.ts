import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { classifyError } from '../../shared/classify-error';
import type { Found } from '../../shared/look-up';
import { runStep } from '../../shared/run-step';
import { toItems, type StoredItem } from '../../shared/stored-items';
import { readJson } from '../json-parameter';
import { readLookUp } from '../look-up';
import { runItems, type ItemStep } from '../run-items';
import { stepInput } from '../step-input';
import { HttpRefusal, type HttpAnswer } from './http-answer';

/** Methods that change nothing: repeating them after a crash is always right. */
const SAFE = new Set(['GET', 'HEAD']);
/** Methods that may be repeated without a second effect (RFC 9110, 9.2.2). */
const REPEATABLE = new Set([...SAFE, 'PUT', 'DELETE']);
const YEAR_MS = 31_536_000_000;
const LONGEST_TIMEOUT_SECONDS = 86_400;
const KEY_HEADER = 'Idempotency-Key';

interface Call {
	method: IHttpRequestMethods;
	url: string;
	query: Record<string, string | string[]>;
	headers: Record<string, string>;
	body?: unknown;
	authenticate: boolean;
	timeoutMs: number;
}

interface Pairs {
	parameters?: Array<{ name?: unknown; value?: unknown }>;
}

const readPairs = (context: IExecuteFunctions, name: string, itemIndex: number) =>
	((context.getNodeParameter(name, itemIndex, {}) as Pairs).parameters ?? [])
		.map((pair) => [String(pair.name ?? '').trim(), String(pair.value ?? '')] as const)
		.filter(([pairName]) => pairName !== '');

/** A name given twice becomes a list, as in `?tag=a&tag=b`. */
function toQuery(pairs: ReadonlyArray<readonly [string, string]>): Call['query'] {
	const query: Call['query'] = {};
	for (const [name, value] of pairs) {
		const before = query[name];
		query[name] = before === undefined ? value : [before, value].flat();
	}
	return query;
}

function readCall(context: IExecuteFunctions, itemIndex: number): Call {
	const method = context.getNodeParameter('method', itemIndex) as IHttpRequestMethods;
	const url = String(context.getNodeParameter('url', itemIndex)).trim();
	if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
		throw new NodeOperationError(
			context.getNode(),
			'The URL must be complete and begin with http:// or https://: correct it.',
			{ itemIndex },
		);
	}
	const sendsBody = !SAFE.has(method) && context.getNodeParameter('sendBody', itemIndex, false);
	const options = context.getNodeParameter('options', itemIndex, {}) as { timeoutSeconds?: number };
	return {
		method,
		url,
		query: toQuery(readPairs(context, 'query', itemIndex)),
		headers: Object.fromEntries(readPairs(context, 'headers', itemIndex)),
		...(sendsBody && { body: readJson(context, 'body', 'JSON Body', itemIndex) }),
		authenticate: context.getNodeParameter('authenticate', itemIndex, false) === true,
		timeoutMs: timeoutOf(context, itemIndex, options.timeoutSeconds ?? 60),
	};
}

/** What the panel allows, for expressions: the client takes other numbers for none, or throws midway. */
function timeoutOf(context: IExecuteFunctions, itemIndex: number, given: unknown): number {
	const seconds = Number(given);
	if (seconds >= 1 && seconds <= LONGEST_TIMEOUT_SECONDS) return Math.round(seconds * 1000);
	throw new NodeOperationError(
		context.getNode(),
		`The option Timeout must be a number of seconds from 1 to ${LONGEST_TIMEOUT_SECONDS}: correct it.`,
		{ itemIndex },
	);
}

/** The address without a user and password in it: the journal keeps what it hashes. */
function withoutUserInfo(url: string): string {
	const parsed = new URL(url);
	if (!parsed.username && !parsed.password) return url;
	parsed.username = '';
	parsed.password = '';
	return parsed.href;
}

function requestOptions(call: Call, key: string): IHttpRequestOptions {
	const ownKey = Object.keys(call.headers).some(
		(name) => name.toLowerCase() === KEY_HEADER.toLowerCase(),
	);
	const hasBody = call.body !== undefined;
	return {
		method: call.method,
		url: call.url,
		qs: call.query,
		arrayFormat: 'repeat',
		headers: {
			accept: 'application/json',
			...(hasBody && { 'content-type': 'application/json' }),
			...call.headers,
			...(!ownKey && { [KEY_HEADER]: key }),
		},
		// A string body is sent as it is: JSON scalars and `null` need their JSON form, too.
		...(hasBody && { body: JSON.stringify(call.body) }),
		timeout: call.timeoutMs,
		// Whoever answers a POST with a redirect has seen it; following would hide that.
		...(!SAFE.has(call.method) && { disableFollowRedirect: true }),
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	};
}

async function send(context: IExecuteFunctions, call: Call, key: string): Promise<StoredItem[]> {
	const options = requestOptions(call, key);
	const { httpRequest, httpRequestWithAuthentication } = context.helpers;
	const answer = (await (call.authenticate
		? httpRequestWithAuthentication.call(context, 'httpCallApi', options)
		: httpRequest(options))) as HttpAnswer;
	if (answer.statusCode >= 300) throw new HttpRefusal(answer);
	// Under `body` because n8n takes a truthy `error` at the top of an item for a failure.
	return [{ json: { statusCode: answer.statusCode, body: (answer.body ?? null) as IDataObject } }];
}

/** What was found instead of the answer that was never heard: its status is not known. */
const asAnswer = (found: Found): Found =>
	found.happened ? { ...found, result: [{ json: { body: found.result } }] } : found;

async function runItem(
	context: IExecuteFunctions,
	{ itemIndex, client, identity, options }: ItemStep,
	findCredential: () => Promise<unknown>,
) {
	const call = readCall(context, itemIndex);
	// Asked before the claim: a credential that is missing after it would look like a doubt.
	if (call.authenticate) await findCredential();
	const { method, query, body } = call;
	const repeatable = REPEATABLE.has(method) || options.claim.onInDoubt === 'retry';
	// Headers are left out: they hold credentials and dates.
	const input = stepInput(
		context,
		itemIndex,
		{ method, url: withoutUserInfo(call.url) },
		{ query, ...(body !== undefined && { body }) },
	);
	const lookUp = readLookUp(context, itemIndex, { identity, input: input.input });
	const outcome = await runStep(
		client,
		{
			...identity,
			...input,
			...options.claim,
			...(SAFE.has(method) && { onInDoubt: 'retry' as const, receiverWindowMs: YEAR_MS }),
		},
		async ({ key }) => ({ result: await send(context, call, key) }),
		{
			classify: (error) => classifyError(error, { repeatable, now: Date.now() }),
			waitMs: options.waitMs,
			lookUp: lookUp && (async (look) => asAnswer(await lookUp(look))),
		},
	);
	return { ...outcome, result: toItems(outcome.result) };
}

const DEFAULT_AT_ONCE = 5;
const MOST_AT_ONCE = 100;

/** Never throws: under On Error "continue" n8n would take that for a success of every item. */
function readAtOnce(context: IExecuteFunctions): number {
	try {
		const options = context.getNodeParameter('options', 0, {}) as { itemsAtOnce?: unknown };
		const atOnce = Math.trunc(Number(options.itemsAtOnce ?? DEFAULT_AT_ONCE));
		return atOnce >= 1 ? Math.min(atOnce, MOST_AT_ONCE) : 1;
	} catch {
		// What is wrong with the options is said for each item that reads them.
		return 1;
	}
}

/** Operation HTTP Request: sends each item's request once, with an `Idempotency-Key` header. */
export async function httpRequest(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	// Once for all items: to decrypt it costs as much as a call of the journal.
	let found: Promise<unknown> | undefined;
	const findCredential = async () => await (found ??= context.getCredentials('httpCallApi'));
	return await runItems(
		context,
		readAtOnce(context),
		async (step) => await runItem(context, step, findCredential),
	);
}
