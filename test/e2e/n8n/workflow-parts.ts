/** Nodes of n8n's own that most test workflows need. */
import type { WorkflowNode } from './n8n-client';

/** A trigger by `POST /webhook/<path>`; it answers at once. Its body is `$json.body`. */
export const webhook = (path: string): WorkflowNode => ({
	name: 'Webhook',
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2,
	webhookId: `webhook-${path}`,
	parameters: { path, httpMethod: 'POST', responseMode: 'onReceived', options: {} },
});

/** n8n's own HTTP Request node: POST with a JSON body. */
export const httpPost = (name: string, url: string, body: unknown = {}): WorkflowNode => ({
	name,
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: {
		method: 'POST',
		url,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: typeof body === 'string' ? body : JSON.stringify(body),
		options: {},
	},
});

export const noOp = (name: string): WorkflowNode => ({
	name,
	type: 'n8n-nodes-base.noOp',
	typeVersion: 1,
});

type Connection = { node: string; type: string; index: number };
export const to = (node: string, type = 'main'): Connection => ({ node, type, index: 0 });

/** Connects these nodes one after the other, each by its first output. */
export const chain = (...names: string[]): Record<string, { main: Connection[][] }> =>
	Object.fromEntries(names.slice(0, -1).map((name, i) => [name, { main: [[to(names[i + 1]!)]] }]));
