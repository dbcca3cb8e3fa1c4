import type { IExecuteFunctions, IHttpRequestMethods, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { classifyError } from '../../shared/classify-error';
import type { Found } from '../../shared/look-up';
import { runItemStep } from '../../shared/run-item-step';
import { hasStatus } from '../../shared/status-list';
import type { StoredItem } from '../../shared/stored-items';
import { isHttpUrl } from '../http-client';
import { readLookUp } from '../look-up';
import { byName, readPairs } from '../pairs';
import { runItems, type ItemStep } from '../run-items';
import { stepInput } from '../step-input';
import { answerItems, HttpRefusal } from './http-answer';
import { readBody } from './http-body';
import { readHttpOptions } from './http-options';
import { headerOf, SAFE, sendRequest, type Call } from './send-request';

/** Methods that may be repeated without a second effect (RFC 9110, 9.2.2). */
const REPEATABLE = new Set([...SAFE, 'PUT', 'DELETE']);
const YEAR_MS = 31_536_000_000;

async function readCall(context: IExecuteFunctions, itemIndex: number): Promise<Call> {
	const method = context.getNodeParameter('method', itemIndex) as IHttpRequestMethods;
	const url = String(context.getNodeParameter('url', itemIndex)).trim();
	if (!isHttpUrl(url)) {
		throw new NodeOperationError(
			context.getNode(),
			'The URL must be complete and begin with http:// or https://: correct it.',
			{ itemIndex },
		);
	}
	const options = readHttpOptions(context, itemIndex);
	const headers = Object.fromEntries(readPairs(context, 'headers', itemIndex));
	const sendsBody = !SAFE.has(method) && context.getNodeParameter('sendBody', itemIndex, false);
	const body = sendsBody ? await readBody(context, itemIndex) : undefined;
	if (body && body.contentType === undefined && headerOf(headers, 'content-type') !== undefined) {
		throw new NodeOperationError(
			context.getNode(),
			'The header Content-Type of a multipart body names a boundary that only the sender knows: take it out of Headers.',
			{ itemIndex },
		);
	}
	return {
		method,
		url,
		query: byName(readPairs(context, 'query', itemIndex)),
		headers,
		...(body && { body }),
		authenticate: context.getNodeParameter('authenticate', itemIndex, false) === true,
		options,
	};
}

/** The address without a user and password in it: the journal keeps what it hashes. */
function withoutUserInfo(url: string): string {
	const parsed = new URL(url);
	if (!parsed.username && !parsed.password) return url;
	parsed.username = '';
	parsed.password = '';
	return parsed.href;
}

/** The headers that a person chose as part of what identifies the call; by default none. */
function headersInKey(context: IExecuteFunctions, itemIndex: number, call: Call) {
	const { headersInKey: chosen } = call.options;
	if (chosen.length === 0) return {};
	const values = chosen.map((name) => [name, headerOf(call.headers, name)] as const);
	const missing = values.find(([, value]) => value === undefined);
	if (!missing) return { headers: Object.fromEntries(values) };
	throw new NodeOperationError(
		context.getNode(),
		`The option Headers in the Key names "${missing[0]}", which is not under Headers: correct the name, or calls that differ would count as one.`,
		{ itemIndex },
	);
}

async function send(context: IExecuteFunctions, call: Call, key: string): Promise<StoredItem[]> {
	const answer = await sendRequest(context, call, key);
	const { success, statuses } = call.options;
	const decided = Object.values(statuses ?? {}).some((list) => hasStatus(list, answer.statusCode));
	if (decided || !hasStatus(success, answer.statusCode)) throw new HttpRefusal(answer);
	return await answerItems(context, answer, call.options.answer, call.url);
}

/** What was found instead of the answer that was never heard: its status is not known. */
const asAnswer = (found: Found): Found =>
	found.happened ? { ...found, result: [{ json: { body: found.result } }] } : found;

async function runItem(
	context: IExecuteFunctions,
	{ itemIndex, client, identity, options }: ItemStep,
	findCredential: () => Promise<unknown>,
) {
	const call = await readCall(context, itemIndex);
	// Asked before the claim: a credential that is missing after it would look like a doubt.
	if (call.authenticate) await findCredential();
	const { method, query, body } = call;
	const { statuses } = call.options;
	const repeatable = REPEATABLE.has(method) || options.claim.onInDoubt === 'retry';
	const input = stepInput(
		context,
		itemIndex,
		{
			method,
			url: withoutUserInfo(call.url),
			// Others are left out: they hold credentials and dates.
			...headersInKey(context, itemIndex, call),
			...body?.fixed,
		},
		{ query, ...(body && { body: body.identity }) },
	);
	const lookUp = readLookUp(context, itemIndex, { identity, input: input.input });
	return await runItemStep(
		client,
		context.helpers,
		{
			...identity,
			...input,
			...options.claim,
			...(SAFE.has(method) && { onInDoubt: 'retry' as const, receiverWindowMs: YEAR_MS }),
		},
		async ({ key }) => await send(context, call, key),
		{
			classify: (error) => classifyError(error, { repeatable, now: Date.now(), statuses }),
			waitMs: options.waitMs,
			lookUp: lookUp && (async (look) => asAnswer(await lookUp(look))),
		},
	);
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

/** Operation HTTP Request: sends each item's request once, with the step's key in a header. */
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
