import type {
	EngineRequest,
	EngineResponse,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import {
	claimEngineStep,
	engineRequest,
	oneAction,
	settleEngineStep,
	type EngineOutcome,
} from '../shared/engine-step';
import { createJournalClient } from '../shared/journal-client';
import { JournalError } from '../shared/journal-error';
import type { ToolAnswer } from '../shared/judge-tool-answer';
import { toNodeError } from '../shared/node-error';
import { storedItem } from '../shared/stored-items';
import { noteAnswered } from './answered-calls';
import { readCall, toStep } from './read-call';
import { dropCall, findAnswer, keepCall, type WaitingCall } from './waiting-call';
import { SAME_CALL, wordsForModel } from './words-for-model';

type Output = INodeExecutionData[][] | EngineRequest;

/**
 * The same bytes whether it was executed now or replayed in a retry: with other words in its history,
 * a model would be asked anew, and be paid again.
 */
function toOutput(
	{ items, key, attempt, replayed }: EngineOutcome,
	again: boolean,
): INodeExecutionData[][] {
	// Where the call before came to nothing, this one is no repeat.
	const durable = { key, attempt, ...(again && replayed && { note: SAME_CALL }) };
	return [items.map((item) => ({ ...item, json: { ...item.json, durable } }))];
}

function readOnlyAnswer(context: IExecuteFunctions, answer: ToolAnswer): INodeExecutionData[][] {
	if (answer.data.error) throw new NodeOperationError(context.getNode(), answer.data.error);
	return [(answer.data.data?.ai_tool?.[0] ?? []).map(storedItem)];
}

async function begin(context: IExecuteFunctions, item: IDataObject): Promise<Output> {
	const call = await readCall(context, item);
	const { toolCallId, tool, args, rule, time } = call;
	if (rule.calls === 'readOnly') {
		const actionId = `${toolCallId}.read`;
		keepCall(context, toolCallId, { actionId, again: false });
		const input = { ...args, ...(tool.ofToolkit && { tool: tool.name }) } as IDataObject;
		return oneAction(actionId, tool.node.name, input, 0);
	}
	const step = await toStep(context, call);
	const client = await createJournalClient(context, { leaseMs: step.request.leaseMs });
	// A repeatable call is meant each time.
	const again = rule.calls === 'once' && time > 1;
	return goOn(context, toolCallId, again, await claimEngineStep(client, context.helpers, step));
}

function goOn(
	context: IExecuteFunctions,
	toolCallId: string,
	again: boolean,
	progress: Awaited<ReturnType<typeof claimEngineStep>>,
): Output {
	if ('held' in progress) {
		keepCall(context, toolCallId, { actionId: progress.actionId, pending: progress, again });
		return engineRequest(progress);
	}
	dropCall(context, toolCallId);
	return toOutput(progress, again);
}

async function settle(
	context: IExecuteFunctions,
	toolCallId: string,
	{ pending, again }: WaitingCall,
	answer: ToolAnswer,
): Promise<Output> {
	if (!pending) {
		dropCall(context, toolCallId);
		return readOnlyAnswer(context, answer);
	}
	const client = await createJournalClient(context, { leaseMs: pending.request.leaseMs });
	return goOn(
		context,
		toolCallId,
		again,
		await settleEngineStep(client, context.helpers, pending, answer),
	);
}

/**
 * Runs one call of an agent under a claim, by a nested engine request to the tool's own node. n8n
 * calls again with the answer. What stops it is told to the model in words.
 */
export async function runToolCall(
	context: IExecuteFunctions,
	response: EngineResponse | undefined,
): Promise<Output> {
	const item = context.getInputData()[0]?.json ?? {};
	const toolCallId = String(item.toolCallId);
	const waiting = findAnswer(context, toolCallId, response);
	try {
		const output = await (waiting
			? settle(context, toolCallId, waiting.call, waiting.answer)
			: begin(context, item));
		if (Array.isArray(output)) noteAnswered(context, toolCallId);
		return output;
	} catch (error) {
		noteAnswered(context, toolCallId);
		// What could not be recorded stays: n8n's Retry On Fail brings the same answer again.
		if (!(error instanceof JournalError && error.acted)) dropCall(context, toolCallId);
		const nodeError = toNodeError(context.getNode(), error, 0);
		nodeError.message = wordsForModel(error, nodeError.message);
		throw nodeError;
	}
}
