import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { EngineStep } from '../shared/engine-step';
import { keepOnly, leadsSomewhere } from '../shared/key-fields';
import { readRunOptions } from '../shared/run-options';
import { sha256Hex } from '../shared/sha256';
import { findRun, slotUnder, stepNameOf } from '../shared/step-identity';
import { agentPlace, type AgentPlace } from '../shared/agent-place';
import { callArguments, declaredArguments, wrongArguments } from './call-arguments';
import { innerTools, type InnerTool } from './inner-tools';
import { itemReads, valuesRead } from './item-reads';
import { canonical, countSameCall } from './same-calls';
import { ruleFor, type ToolRule } from './tool-rules';

type Members = Record<string, unknown>;

/** One call of the agent, checked. */
export interface Call {
	toolCallId: string;
	tool: InnerTool;
	rule: ToolRule;
	args: Members;
	/** What makes it the same call; not which time it is made. */
	identity: Members;
	/** Which time the same call is made in this run of the agent, from 1. */
	time: number;
	agent: AgentPlace;
}

/**
 * What identifies the call: never the model's id of it, which is another one on each try. n8n gives a
 * tool the agent's item beside the arguments: what it reads of that belongs to the call, or two items
 * with the same arguments would be one effect.
 */
function identityOf(
	{ name, node }: InnerTool,
	{ keyArguments }: ToolRule,
	args: Members,
	item: Members,
	{ round }: AgentPlace,
): Members {
	if (keyArguments.length > 0) return { tool: name, arguments: keepOnly(args, keyArguments) };
	const reads = itemReads(node.parameters);
	const read = valuesRead(reads, item);
	return {
		tool: name,
		arguments: args,
		...(read && { read }),
		...(reads.otherNodes && { round }),
	};
}

/** A repeatable call is another one each time. */
const inputOf = ({ rule, identity, time, agent: { agent, round } }: Call): Members =>
	rule.calls === 'repeatable' ? { ...identity, time, agent, round } : identity;

/** The step of a call, and what its tool gets. */
export async function toStep(context: IExecuteFunctions, call: Call): Promise<EngineStep> {
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
			step: stepNameOf(context, options.identity),
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
		slot: slotUnder(handedDown, place),
		declaredOnly: declaredArguments(tool.tool) !== undefined,
		giveUpAt: Date.now() + options.waitMs,
		itemIndex: 0,
	};
}

/** Reads the call, or refuses it before anything happens. */
export async function readCall(context: IExecuteFunctions, item: IDataObject): Promise<Call> {
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
	const missing = rule.keyArguments.find((path) => !leadsSomewhere(args, path));
	if (missing) {
		throw new NodeOperationError(
			context.getNode(),
			`This call of "${name}" lacks "${missing.join('.')}", which identifies it, and nothing was done: give it and call again.`,
		);
	}
	const agent = agentPlace(context);
	const identity = identityOf(tool, rule, args, item, agent);
	const time = countSameCall(context, agent, identity, toolCallId);
	return { toolCallId, tool, rule, args, identity, time, agent };
}
