import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeParameterResourceLocator,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { attempt } from '../../shared/attempt';
import type { Classification } from '../../shared/classify-error';
import { replayedItems } from '../../shared/replayed-items';
import { runStep } from '../../shared/run-step';
import { keepFiles } from '../../shared/stored-binary';
import { storedItem, toItems, type StoredItem } from '../../shared/stored-items';
import { withoutDurable } from '../../shared/without-durable';
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
	const chosen = context.getNodeParameter('workflowId', itemIndex, '') as
		INodeParameterResourceLocator | string;
	const workflowId = String((typeof chosen === 'object' ? chosen.value : chosen) ?? '').trim();
	if (!workflowId) {
		throw new NodeOperationError(context.getNode(), 'Choose the workflow to call.', { itemIndex });
	}
	return { workflowId, inputs: readInputs(context, itemIndex) };
}

async function callWorkflow(
	context: IExecuteFunctions,
	{ workflowId, inputs }: Call,
	durable: { run: string; slot: string },
	repeatable: boolean,
): Promise<StoredItem[]> {
	const called = await attempt(
		context.executeWorkflow(
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
		),
	);
	if (!called.ok) {
		throw new CallFailed(await classifyChildError(context, called.error, repeatable));
	}
	const answer = called.value;
	if (answer.waitTill) {
		// n8n has already put this execution to wait with its child; on resume this node would be
		// skipped and the step never settled. No date takes that back.
		await context.putExecutionToWait(undefined as unknown as Date);
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
	let fresh: StoredItem[] = [];
	const outcome = await runStep(
		client,
		{
			...identity,
			...input,
			...options.claim,
		},
		async () => {
			fresh = await callWorkflow(context, call, handedDown, repeatable);
			return { result: await keepFiles(context.helpers, fresh) };
		},
		{
			// A fault of our own after the call leaves the outcome open, as well.
			classify: (error) =>
				(error instanceof CallFailed ? error : openOutcome(String(error))).failure,
			waitMs: options.waitMs,
			lookUp,
		},
	);
	if (!outcome.replayed) return { ...outcome, result: toItems(fresh) };
	const { key, attempt: tries } = outcome;
	const facts = { step: identity.step, key, attempt: tries, origin: client.origin };
	return { ...outcome, result: await replayedItems(context.helpers, outcome.result, facts) };
}

/** Operation Sub-Workflow: calls a workflow once for each item and hands its run down. */
export async function subWorkflow(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return await runItems(context, 1, async (step) => await runItem(context, step));
}
