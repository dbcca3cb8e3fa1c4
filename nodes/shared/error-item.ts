import type { INodeExecutionData } from 'n8n-workflow';

/**
 * The item that stands for a failed one when the node's On Error says to go on. n8n sends it to the
 * error output; thrown there, an error would send the input out of the success output instead.
 */
export function errorItem(error: Error, itemIndex: number): INodeExecutionData {
	const { description } = error as { description?: unknown };
	return {
		json: {
			error: error.message,
			...(typeof description === 'string' && description && { details: description }),
		},
		pairedItem: { item: itemIndex },
	};
}
