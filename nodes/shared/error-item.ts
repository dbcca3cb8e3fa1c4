import type { INodeExecutionData } from 'n8n-workflow';
import { errorFacts } from './error-facts';

/**
 * The item that stands for a failed one when the node's On Error says to go on. n8n sends it to the
 * error output; thrown there, an error would send the input out of the success output instead.
 * n8n takes an item for a failed one by its members: `error`, `message` and `details`, and no other;
 * with the item's own member `error` set it would drop all but the message.
 * @param error what a person reads, as `toNodeError` makes it
 * @param cause what stopped the step: its facts go into `details`
 */
export function errorItem(error: Error, cause: unknown, itemIndex: number): INodeExecutionData {
	const { description } = error as { description?: unknown };
	const details = {
		...errorFacts(cause),
		...(typeof description === 'string' && description && { description }),
	};
	return {
		json: { error: error.message, ...(Object.keys(details).length > 0 && { details }) },
		pairedItem: { item: itemIndex },
	};
}
