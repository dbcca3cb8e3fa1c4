import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Found, LookUp } from '../shared/look-up';
import { callWorkflow, readWorkflowId, takeWaitBack } from './called-workflow';
import type { LookedUpCall } from './look-up';

/** Reads what the workflow returned: one item that says yes or no. Anything else leaves the doubt. */
export function readItems(items: INodeExecutionData[]): Found {
	const [item] = items;
	const { happened, result } = item?.json ?? {};
	if (items.length === 1 && happened === true) return { happened, result: result ?? null };
	if (items.length === 1 && happened === false) {
		return { happened, why: 'The look-up workflow says that it did not happen' };
	}
	return {
		happened: undefined,
		why: 'The look-up workflow did not return one item with "happened" true or false',
	};
}

/** Lets a workflow find out, with all that n8n's nodes and credentials can ask. */
export function workflowLookUp(
	context: IExecuteFunctions,
	itemIndex: number,
	{ identity, input }: LookedUpCall,
): LookUp {
	const id = readWorkflowId(context, 'options.lookUpWorkflowId', itemIndex);
	if (!id) {
		throw new NodeOperationError(context.getNode(), 'Choose the Look-Up Workflow.', { itemIndex });
	}
	return async ({ key }) => {
		const { runId, step } = identity;
		const call = { input, key, runId, step } as IDataObject;
		const answer = await callWorkflow(context, id, call);
		if (answer.waitTill) {
			await takeWaitBack(context);
			return { happened: undefined, why: 'The look-up workflow waits, which it must not' };
		}
		return readItems(answer.data[0] ?? []);
	};
}
