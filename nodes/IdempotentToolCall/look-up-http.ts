import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { LookUp } from '../shared/look-up';
import { readAnswer } from './look-up-answer';

interface RawOptions {
	lookUpUrl?: unknown;
	lookUpQuery?: Pairs;
	lookUpHeaders?: Pairs;
	lookUpField?: unknown;
}

interface Pairs {
	parameters?: Array<{ name?: unknown; value?: unknown }>;
}

const ANSWER_MS = 30_000;

const toRecord = (pairs: Pairs | undefined): Record<string, string> =>
	Object.fromEntries(
		(pairs?.parameters ?? [])
			.map((pair) => [String(pair.name ?? '').trim(), String(pair.value ?? '')] as const)
			.filter(([name]) => name !== ''),
	);

/** Asks the other system by HTTP GET. Redirects are followed: a GET changes nothing. */
export function httpLookUp(context: IExecuteFunctions, itemIndex: number): LookUp {
	const options = context.getNodeParameter('options', itemIndex, {}) as RawOptions;
	const url = String(options.lookUpUrl ?? '').trim();
	if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
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
		const { httpRequest, httpRequestWithAuthentication } = context.helpers;
		const answer = (await (authenticate
			? httpRequestWithAuthentication.call(context, 'httpCallApi', request)
			: httpRequest(request))) as { statusCode: number; body: unknown };
		return readAnswer(answer, field);
	};
}
