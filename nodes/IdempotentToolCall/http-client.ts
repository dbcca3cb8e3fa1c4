import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

/** Whether a text is a whole address that n8n's client can ask. */
export const isHttpUrl = (url: string): boolean => /^https?:$/.test(URL.parse(url)?.protocol ?? '');

/** Sends a request by n8n's client, with the node's credential where it is to authenticate. */
export async function sendByN8n(
	context: IExecuteFunctions,
	authenticate: boolean,
	options: IHttpRequestOptions,
): Promise<unknown> {
	const { httpRequest, httpRequestWithAuthentication } = context.helpers;
	return await (authenticate
		? httpRequestWithAuthentication.call(context, 'httpCallApi', options)
		: httpRequest(options));
}
