import type { INodeProperties } from 'n8n-workflow';

/** What identifies the call; by default all of its arguments. */
export const keyOptions: INodeProperties[] = [
	{
		displayName: 'Key Fields',
		name: 'keyFieldsOnly',
		type: 'string',
		default: '',
		placeholder: 'e.g. body.orderId, body.lines.sku',
		description:
			'Only these identify the call, beside the tool, address or workflow. Begin with arguments (Connected Tool), body or query (HTTP Request) or inputs (Sub-Workflow); in a list each element is meant.',
	},
	{
		displayName: 'Key Fields Left Out',
		name: 'keyFieldsLeftOut',
		type: 'string',
		default: '',
		placeholder: 'e.g. body.sentAt, body.meta.requestId',
		description:
			'These do not identify the call, such as times and request IDs, which change between tries. Named as in Key Fields.',
	},
	{
		displayName: 'Key Includes Item and Loop Index',
		name: 'keyIncludesPlace',
		type: 'boolean',
		default: false,
		description:
			'Whether two items with the same arguments are two calls. Without it they are one. Leave it off where items may come in another order on a retry.',
	},
	{
		displayName: 'Own Idempotency Key',
		name: 'ownKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.paymentId }}',
		description:
			'Identifies the call within the run in place of its arguments. The same key with other arguments is refused.',
	},
];
