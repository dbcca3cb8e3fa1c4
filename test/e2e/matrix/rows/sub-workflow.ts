import { called, child } from '../../idempotent-tool-call-workflow';
import { ARGUMENTS, canvasCall, headerAuth, nativePost, type Row } from '../row';
import { shownOnCanvas } from '../shown';

/** Operation Sub-Workflow; the called workflow calls the receiver by n8n's own HTTP Request node. */
export const subWorkflow: Row = {
	name: 'Sub-Workflow',
	id: 'sub',
	seesRetryAfter: false,
	authentication: headerAuth,
	async nodes(place) {
		const post = {
			name: 'Post',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: {
				...nativePost(place, '={{ $json.durable.run }}/post'),
				jsonBody: '={{ JSON.stringify({ orderId: $json.orderId, amount: $json.amount }) }}',
			},
			...(place.authentication && { credentials: place.authentication }),
		};
		const value = await place.client.createWorkflow(child(`Child ${place.order}`, called(), post));
		return {
			nodes: [
				canvasCall(place, {
					operation: 'subWorkflow',
					workflowId: { __rl: true, mode: 'id', value },
					workflowInputs: ARGUMENTS,
				}),
			],
			connections: {},
		};
	},
	shown: shownOnCanvas,
};
