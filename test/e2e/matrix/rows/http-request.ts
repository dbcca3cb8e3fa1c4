import { ARGUMENTS, canvasCall, type Row } from '../row';
import { shownOnCanvas } from '../shown';

/** Operation HTTP Request. */
export const httpRequest: Row = {
	name: 'HTTP Request',
	id: 'http',
	seesRetryAfter: true,
	authentication: (secret) => ({
		type: 'httpCallApi',
		data: { method: 'header', name: 'X-Api-Key', secret },
	}),
	nodes(place) {
		const { url, authentication, call } = place;
		const node = canvasCall(
			place,
			{
				...{ operation: 'httpRequest', method: 'POST', url, sendBody: true, body: ARGUMENTS },
				authenticate: authentication !== undefined,
			},
			call.timeoutSeconds ? { timeoutSeconds: call.timeoutSeconds } : {},
		);
		return {
			nodes: [{ ...node, credentials: { ...node.credentials, ...authentication } }],
			connections: {},
		};
	},
	shown: shownOnCanvas,
};
