import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeParameterResourceLocator,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Found, LookUp } from '../shared/look-up';
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
	const chosen = context.getNodeParameter('options.lookUpWorkflowId', itemIndex, '') as
		INodeParameterResourceLocator | string;
	const id = String((typeof chosen === 'object' ? chosen.value : chosen) ?? '').trim();
	if (!id) {
		throw new NodeOperationError(context.getNode(), 'Choose the Look-Up Workflow.', { itemIndex });
	}
	return async ({ key }) => {
		const { runId, step } = identity;
		const answer = await context.executeWorkflow(
			{ id },
			[{ json: { input, key, runId, step } as IDataObject }],
			undefined,
			{
				parentExecution: {
					executionId: context.getExecutionId(),
					workflowId: context.getWorkflow().id ?? '',
				},
				executionMode: context.getMode(),
			},
		);
		if (answer.waitTill) {
			// n8n has put this execution to wait with its child, and on resume this node would be skipped.
			await context.putExecutionToWait(undefined as unknown as Date);
			return { happened: undefined, why: 'The look-up workflow waits, which it must not' };
		}
		return readItems(answer.data[0] ?? []);
	};
}
