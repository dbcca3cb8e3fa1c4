import type {
	ExecuteWorkflowData,
	IDataObject,
	IExecuteFunctions,
	INodeParameterResourceLocator,
} from 'n8n-workflow';

/** The workflow that a person chose on the panel; empty where none is. */
export function readWorkflowId(
	context: IExecuteFunctions,
	parameter: string,
	itemIndex: number,
): string {
	const chosen = context.getNodeParameter(parameter, itemIndex, '') as
		INodeParameterResourceLocator | string;
	return String((typeof chosen === 'object' ? chosen.value : chosen) ?? '').trim();
}

/** Calls a workflow with one item. What it throws is n8n's; see `classifyChildError`. */
export const callWorkflow = async (
	context: IExecuteFunctions,
	id: string,
	json: IDataObject,
): Promise<ExecuteWorkflowData> =>
	await context.executeWorkflow({ id }, [{ json }], undefined, {
		// Without it, a child that waits would keep this execution waiting for ever.
		parentExecution: {
			executionId: context.getExecutionId(),
			workflowId: context.getWorkflow().id ?? '',
		},
		executionMode: context.getMode(),
	});

/**
 * n8n has already put this execution to wait with its child; on resume this node would be skipped and
 * the step never settled. No date takes that back.
 */
export const takeWaitBack = async (context: IExecuteFunctions): Promise<void> =>
	await context.putExecutionToWait(undefined as unknown as Date);
