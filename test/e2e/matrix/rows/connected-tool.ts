import { to } from '../../n8n/workflow-parts';
import { ARGUMENTS, canvasCall, headerAuth, nativePost, type Row } from '../row';
import { shownOnCanvas } from '../shown';

/** Operation Connected Tool with n8n's own HTTP Request Tool under it. */
export const connectedTool: Row = {
	name: 'Connected Tool',
	id: 'tool',
	seesRetryAfter: false,
	authentication: headerAuth,
	nodes: (place) => ({
		nodes: [
			canvasCall(place, { operation: 'connectedTool', toolArguments: ARGUMENTS }),
			{
				name: 'Tool',
				type: 'n8n-nodes-base.httpRequestTool',
				typeVersion: 4.2,
				parameters: {
					...nativePost(place, '={{ $json.idempotencyKey }}'),
					jsonBody:
						'={{ JSON.stringify({ orderId: $fromAI("orderId"), amount: $fromAI("amount") }) }}',
				},
				...(place.authentication && { credentials: place.authentication }),
			},
		],
		connections: { Tool: { ai_tool: [[to('Call', 'ai_tool')]] } },
	}),
	shown: shownOnCanvas,
};
