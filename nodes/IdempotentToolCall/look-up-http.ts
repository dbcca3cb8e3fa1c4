import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { LookUp } from '../shared/look-up';
import { isHttpUrl, sendByN8n } from './http-client';
import { readAnswer } from './look-up-answer';
import { pairsOf, type RawPairs } from './pairs';

interface RawOptions {
	lookUpUrl?: unknown;
	lookUpQuery?: RawPairs;
	lookUpHeaders?: RawPairs;
	lookUpField?: unknown;
}

const ANSWER_MS = 30_000;

const toRecord = (pairs: RawPairs = {}): Record<string, string> =>
	Object.fromEntries(pairsOf(pairs));

/** Asks the other system by HTTP GET. Redirects are followed: a GET changes nothing. */
export function httpLookUp(context: IExecuteFunctions, itemIndex: number): LookUp {
	const options = context.getNodeParameter('options', itemIndex, {}) as RawOptions;
	const url = String(options.lookUpUrl ?? '').trim();
	if (!isHttpUrl(url)) {
		throw new NodeOperationError(
			context.getNode(),
			'The Look-Up URL must be complete and begin with http:// or https://: correct it.',
			{ itemIndex },
		);
	}
	const authenticate = context.getNodeParameter('authenticate', itemIndex, false) === true;
	const field = String(options.lookUpField ?? '').trim();
	const request: IHttpRequestOptions = {
		method: 'GET',
		url,
		qs: toRecord(options.lookUpQuery),
		headers: { accept: 'application/json', ...toRecord(options.lookUpHeaders) },
		timeout: ANSWER_MS,
		// n8n would hand a password on to whatever host a redirect names.
		sendCredentialsOnCrossOriginRedirect: false,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	};
	return async () => {
		const answer = await sendByN8n(context, authenticate, request);
		return readAnswer(answer as { statusCode: number; body: unknown }, field);
	};
}
