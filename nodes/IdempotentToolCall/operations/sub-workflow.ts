import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { attempt } from '../../shared/attempt';
import type { Classification } from '../../shared/classify-error';
import { runItemStep } from '../../shared/run-item-step';
import { storedItem, type StoredItem } from '../../shared/stored-items';
import { withoutDurable } from '../../shared/without-durable';
import { callWorkflow, readWorkflowId, takeWaitBack } from '../called-workflow';
import { readJsonObject } from '../json-parameter';
import { readLookUp } from '../look-up';
import { runItems, type ItemStep } from '../run-items';
import { stepInput } from '../step-input';
import { classifyChildError } from './child-error';

/** A call that is no success, judged. */
class CallFailed extends Error {
	constructor(readonly failure: Classification) {
		super(failure.message);
	}
}

/** The called workflow did something that leaves its outcome open, whatever may be repeated. */
const openOutcome = (message: string) => new CallFailed({ verdict: 'in_doubt', message });

interface Call {
	workflowId: string;
	inputs: Record<string, unknown>;
}

function readInputs(context: IExecuteFunctions, itemIndex: number): Record<string, unknown> {
	if (context.getNodeParameter('inputMode', itemIndex, 'json') === 'json') {
		return readJsonObject(context, 'workflowInputs', 'Inputs', itemIndex);
	}
	// By this path n8n checks each value against its declared type. Null until a field is filled in.
	const fields = context.getNodeParameter('workflowFields.value', itemIndex, {});
	return withoutDurable((fields ?? {}) as Record<string, unknown>);
}

function readCall(context: IExecuteFunctions, itemIndex: number): Call {
	const workflowId = readWorkflowId(context, 'workflowId', itemIndex);
	if (!workflowId) {
		throw new NodeOperationError(context.getNode(), 'Choose the workflow to call.', { itemIndex });
	}
	return { workflowId, inputs: readInputs(context, itemIndex) };
}

async function runWorkflow(
	context: IExecuteFunctions,
	{ workflowId, inputs }: Call,
	durable: { run: string; slot: string },
	repeatable: boolean,
): Promise<StoredItem[]> {
	const item = { ...inputs, durable } as IDataObject;
	const called = await attempt(callWorkflow(context, workflowId, item));
	if (!called.ok) {
		throw new CallFailed(await classifyChildError(context, called.error, repeatable));
	}
	const answer = called.value;
	if (answer.waitTill) {
		await takeWaitBack(context);
		throw openOutcome(
			`the called workflow waits (execution ${answer.executionId}), and a workflow that waits cannot be called from here: cancel that execution, and move the waiting node into this workflow`,
		);
	}
	const items = (answer.data[0] ?? []).map(storedItem);
	if (items.some((item) => item.json.error)) {
		throw openOutcome('the called workflow returned an item with "error"');
	}
	return items;
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
	const repeatable = options.claim.onInDoubt === 'retry';
	const handedDown = { run: identity.runId, slot: identity.slot };
	return await runItemStep(
		client,
		context.helpers,
		{
			...identity,
			...input,
			...options.claim,
		},
		async () => await runWorkflow(context, call, handedDown, repeatable),
		{
			// A fault of our own after the call leaves the outcome open, as well.
			classify: (error) =>
				(error instanceof CallFailed ? error : openOutcome(String(error))).failure,
			waitMs: options.waitMs,
			lookUp,
		},
	);
}

/** Operation Sub-Workflow: calls a workflow once for each item and hands its run down. */
export async function subWorkflow(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return await runItems(context, 1, async (step) => await runItem(context, step));
}
