import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeParameterResourceLocator,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { classifyError, type Classification } from '../../shared/classify-error';
import { runStep } from '../../shared/run-step';
import { storedItem, toItems, type StoredItem } from '../../shared/stored-items';
import { readJsonObject } from '../json-parameter';
import { readLookUp } from '../look-up';
import { runItems, type ItemStep } from '../run-items';
import { stepInput } from '../step-input';

/** The called workflow did something that leaves its outcome open. */
class OpenOutcome extends Error {}

interface Call {
	workflowId: string;
	inputs: Record<string, unknown>;
}

function readCall(context: IExecuteFunctions, itemIndex: number): Call {
	const chosen = context.getNodeParameter('workflowId', itemIndex, '') as
		INodeParameterResourceLocator | string;
	const workflowId = String((typeof chosen === 'object' ? chosen.value : chosen) ?? '').trim();
	if (!workflowId) {
		throw new NodeOperationError(context.getNode(), 'Choose the workflow to call.', { itemIndex });
	}
	return { workflowId, inputs: readJsonObject(context, 'workflowInputs', 'Inputs', itemIndex) };
}

async function callWorkflow(
	context: IExecuteFunctions,
	{ workflowId, inputs }: Call,
	durable: { run: string; slot: string },
): Promise<StoredItem[]> {
	const answer = await context.executeWorkflow(
		{ id: workflowId },
		[{ json: { ...inputs, durable } as IDataObject }],
		undefined,
		{
			// Without it, a child that waits would keep this execution waiting for ever.
			parentExecution: {
				executionId: context.getExecutionId(),
				workflowId: context.getWorkflow().id ?? '',
			},
			executionMode: context.getMode(),
		},
	);
	if (answer.waitTill) {
		// n8n has already put this execution to wait with its child; on resume this node would be
		// skipped and the step never settled. No date takes that back.
		await context.putExecutionToWait(undefined as unknown as Date);
		throw new OpenOutcome(
			`the called workflow waits (execution ${answer.executionId}), and a workflow that waits cannot be called from here: cancel that execution, and move the waiting node into this workflow`,
		);
	}
	const items = (answer.data[0] ?? []).map(storedItem);
	if (items.some((item) => item.json.error)) {
		throw new OpenOutcome('the called workflow returned an item with "error"');
	}
	return items;
}

/**
 * Any node of the called workflow may have had its effect before another failed, so only a call that
 * never started is no doubt, unless the workflow may be repeated as a whole.
 */
function classify(error: unknown, repeatable: boolean): Classification {
	const found = classifyError(error, { repeatable, now: Date.now() });
	if (error instanceof OpenOutcome) return { ...found, verdict: 'in_doubt' };
	if (repeatable) return found;
	const started = (error as { executionId?: unknown }).executionId !== undefined;
	return { ...found, verdict: started ? 'in_doubt' : 'terminal' };
}

async function runItem(
	context: IExecuteFunctions,
	{ itemIndex, client, identity, options }: ItemStep,
) {
	const call = readCall(context, itemIndex);
	const input = stepInput(
		context,
		itemIndex,
		{ workflow: call.workflowId },
		{ inputs: call.inputs },
	);
	const lookUp = readLookUp(context, itemIndex, { identity, input: input.input });
	const outcome = await runStep(
		client,
		{
			...identity,
			...input,
			...options.claim,
		},
		async () => ({
			result: await callWorkflow(context, call, { run: identity.runId, slot: identity.slot }),
		}),
		{
			classify: (error) => classify(error, options.claim.onInDoubt === 'retry'),
			waitMs: options.waitMs,
			lookUp,
		},
	);
	return { ...outcome, result: toItems(outcome.result) };
}

/** Operation Sub-Workflow: calls a workflow once for each item and hands its run down. */
export async function subWorkflow(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return await runItems(context, 1, async (step) => await runItem(context, step));
}
