import { chatModel } from '../../idempotent-tools-workflow';
import { errorOf, outputsOf, type Execution } from '../../n8n/n8n-client';
import { to } from '../../n8n/workflow-parts';
import { headerAuth, nativePost, type Row } from '../row';

/** What the model was told of its call; it repeats the last thing that a tool said. */
function shown(execution: Execution): string {
	const said = String(outputsOf(execution).Call?.at(-1)?.[0]?.[0]?.output ?? '');
	if (execution.status !== 'success' || !said) return `error: ${errorOf(execution)}`;
	const [, verdict] = /\b(IN DOUBT|NOT YET|REFUSED): /.exec(said) ?? [];
	const [, attempt] = /"attempt":(\d+)/.exec(said) ?? [];
	if (verdict) return `told: ${verdict}`;
	return attempt ? `told: result, attempt ${attempt}` : JSON.stringify(said);
}

/** An AI Agent, whose tool hangs under Idempotent Tools; the model calls it once. */
export const underAnAgent: Row = {
	name: 'Under an agent',
	id: 'agent',
	seesRetryAfter: false,
	authentication: headerAuth,
	nodes(place) {
		const { call, journalApi, openAiApi } = place;
		const { onError, ...ofTools } = call.settings ?? {};
		return {
			nodes: [
				{
					name: 'Call',
					type: '@n8n/n8n-nodes-langchain.agent',
					typeVersion: 3.1,
					parameters: {
						promptType: 'define',
						text: '={{ "PLAN " + JSON.stringify([[{ tool: "Tool", args: $json.body }]]) }}',
						options: {},
					},
					// An output for errors is the agent's; a node under it has none.
					...(onError !== undefined && { onError }),
				},
				chatModel(openAiApi),
				{
					name: 'Once',
					type: 'n8n-nodes-durable.idempotentTools',
					typeVersion: 1,
					parameters: {
						runId: "={{ $('Webhook').first().json.body.orderId }}",
						options: { sharedRunId: true, waitSeconds: 20, ...call.options },
					},
					credentials: { journalApi },
					...ofTools,
				},
				{
					name: 'Tool',
					type: 'n8n-nodes-base.httpRequestTool',
					typeVersion: 4.2,
					parameters: {
						toolDescription: 'Posts an order',
						...nativePost(place, '={{ $json.idempotencyKey }}'),
						jsonBody:
							'={{ JSON.stringify({ orderId: $fromAI("orderId", "order number", "string"), amount: $fromAI("amount", "in euro", "number") }) }}',
					},
					...(place.authentication && { credentials: place.authentication }),
				},
			],
			connections: {
				Model: { ai_languageModel: [[to('Call', 'ai_languageModel')]] },
				Once: { ai_tool: [[to('Call', 'ai_tool')]] },
				Tool: { ai_tool: [[to('Once', 'ai_tool')]] },
			},
		};
	},
	shown,
};
