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
	type EngineStep,
} from '../shared/engine-step';
import { createJournalClient } from '../shared/journal-client';
import { JournalError } from '../shared/journal-error';
import type { ToolAnswer } from '../shared/judge-tool-answer';
import { keepOnly } from '../shared/key-fields';
import { toNodeError } from '../shared/node-error';
import { readRunOptions } from '../shared/run-options';
import { sha256Hex } from '../shared/sha256';
import { findRun } from '../shared/step-identity';
import { noteAnswered } from './answered-calls';
import { agentPlace, type AgentPlace } from './agent-place';
import { callArguments, wrongArguments } from './call-arguments';
import { innerTools, type InnerTool } from './inner-tools';
import { canonical, countSameCall } from './same-calls';
import { ruleFor, type ToolRule } from './tool-rules';
import { dropCall, findAnswer, keepCall, type WaitingCall } from './waiting-call';
import { SAME_CALL, wordsForModel } from './words-for-model';

type Members = Record<string, unknown>;
type Output = INodeExecutionData[][] | EngineRequest;

interface Call {
	toolCallId: string;
	tool: InnerTool;
	rule: ToolRule;
	args: Members;
	/** Which time the same call is made in this run of the agent, from 1. */
	time: number;
	agent: AgentPlace;
}

/** What identifies the call: never the model's id of it, which is another one on each try. */
const inputOf = ({ tool, rule, args, time, agent }: Call): Members => ({
	tool: tool.name,
	arguments: rule.keyArguments.length > 0 ? keepOnly(args, rule.keyArguments) : args,
	...(rule.calls === 'repeatable' && { time, round: agent.round }),
});

async function toStep(context: IExecuteFunctions, call: Call): Promise<EngineStep> {
	const { tool, rule, args, agent, toolCallId } = call;
	const node = context.getNode();
	const workflowId = context.getWorkflow().id ?? '';
	const options = readRunOptions(context, 0);
	const { runId, handedDown } = await findRun(context, 0, options.identity, agent.places);
	const input = inputOf(call);
	const place = `${workflowId}/${node.id}#${(await sha256Hex(canonical(input))).slice(0, 16)}`;
	return {
		target: {
			node: tool.node.name,
			type: tool.node.type,
			...(tool.ofToolkit && { toolName: tool.name }),
		},
		request: {
			runId,
			step: String(options.identity.stepName ?? '').trim() || `${workflowId}/${node.id}`,
			// No slot: a model may well make another call where it made one before.
			input,
			...options.claim,
			...(rule.onInDoubt && { onInDoubt: rule.onInDoubt }),
			...(rule.gateId && { gateId: rule.gateId }),
			meta: {
				workflowId,
				executionId: context.getExecutionId(),
				node: node.id,
				nodeLabel: `${node.name}: ${tool.name}`,
				toolCallId,
			},
		},
		input: args,
		slot: handedDown ? `${handedDown.slot}>${place}` : place,
		declaredOnly: true,
		giveUpAt: Date.now() + options.waitMs,
		itemIndex: 0,
	};
}

/** Reads the call, or refuses it before anything happens. */
async function readCall(context: IExecuteFunctions, item: IDataObject): Promise<Call> {
	const { tool: name, toolCallId } = item;
	if (typeof name !== 'string' || typeof toolCallId !== 'string') {
		throw new NodeOperationError(
			context.getNode(),
			'Only an agent can call the tools under this node: run the agent instead.',
		);
	}
	const tools = await innerTools(context);
	const tool = tools.find((each) => each.name === name);
	if (!tool) {
		throw new NodeOperationError(
			context.getNode(),
			`There is no tool "${name}": use one of ${tools.map((each) => each.name).join(', ')}.`,
		);
	}
	const args = callArguments(tool.tool, item);
	const wrong = wrongArguments(tool.tool, args);
	if (wrong) {
		throw new NodeOperationError(
			context.getNode(),
			`The arguments do not fit "${name}", and nothing was done: ${wrong}. Correct them and call again.`,
		);
	}
	const rule = ruleFor(context, tool);
	const agent = agentPlace(context);
	const call = { toolCallId, tool, rule, args, agent };
	const time = countSameCall(context, agent.round, inputOf({ ...call, time: 0 }), toolCallId);
	return { ...call, time };
}

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
	return [
		items.map(({ json, binary }) => ({ json: { ...json, durable }, ...(binary && { binary }) })),
	];
}

function readOnlyAnswer(context: IExecuteFunctions, answer: ToolAnswer): INodeExecutionData[][] {
	if (answer.data.error) throw new NodeOperationError(context.getNode(), answer.data.error);
	return [
		(answer.data.data?.ai_tool?.[0] ?? []).map(({ json, binary }) => ({
			json,
			...(binary && { binary }),
		})),
	];
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
