import type { IExecuteData, IExecuteFunctions } from 'n8n-workflow';

type Members = Record<string, unknown>;

/** What n8n writes beside a call that goes through a human review; not in its published types. */
interface ReviewedAction {
	nodeName: string;
	runIndex: number;
	action: {
		id: string;
		nodeName: string;
		input: Members;
		metadata?: Members & {
			hitl?: { toolName: string; gatedToolNodeName: string; originalInput?: unknown };
		};
	};
}

/** One call among those that a model made in one turn. */
export interface AgentCall {
	id: string;
	/** The tool that n8n runs once it is approved, by the name that the model calls it. */
	tool: string;
	/** What n8n gives to the tool. */
	args: unknown;
	/** Everything else that the model sent, for the review itself. */
	asides: Members;
	agent: { name: string; items: number };
	/** Replaces what n8n gives to the tool. */
	giveArgs(args: Members): void;
	/**
	 * Writes what the model is told among what it was told before. n8n drops what a review says of
	 * one call where it goes on to run another of the same turn.
	 */
	tell(words: string): void;
}

type Entry = Omit<IExecuteData, 'metadata'> & {
	metadata?: {
		subNodeExecutionData?: { actions: ReviewedAction[]; metadata: { previousRequests?: Step[] } };
	};
};

/** One call with its answer, as an agent keeps it over its turns. */
interface Step {
	action: { toolCallId?: string; [member: string]: unknown };
	observation: string;
}

/** Every context of n8n that runs a workflow has the run's data, whatever its types say. */
interface RunContext {
	runExecutionData?: {
		executionData?: { nodeExecutionStack?: Entry[] };
		resultData?: { runData: Record<string, unknown[]> };
	} | null;
	getExecuteData?: IExecuteFunctions['getExecuteData'];
	getNode(): { name: string };
}

/**
 * Finds the call that this run of the review is about, where n8n will look for it: in the entry of
 * the agent that waits for it. The item that the review gets is no source, since n8n mixes into it
 * whatever the model wrote.
 * @param context of `execute()` or of `webhook()`
 * @returns undefined where no agent waits for this run
 */
export function agentCall(context: object): AgentCall | undefined {
	const { runExecutionData, getExecuteData, getNode } = context as RunContext;
	const stack = runExecutionData?.executionData?.nodeExecutionStack ?? [];
	const own = getExecuteData ? getExecuteData.call(context) : stack[0];
	const { name } = getNode.call(context);
	for (const entry of stack) {
		const asked = entry.metadata?.subNodeExecutionData?.actions.find(
			(each) => each.nodeName === name && each.runIndex === own?.runIndex,
		);
		if (asked?.action.metadata?.hitl) return toCall(entry, asked);
	}
	return undefined;
}

/**
 * Makes n8n know the waiting agents as nodes that have begun. Whenever n8n starts, it looks through
 * executions that wait, and marks one as failed in which a node began and has no entry; an agent gets
 * its entry at its end. Such an execution is never resumed.
 */
export function noteAgentsBegan(context: object): void {
	const { runExecutionData } = context as RunContext;
	const runData = runExecutionData?.resultData?.runData;
	if (!runData) return;
	for (const { node, metadata } of runExecutionData?.executionData?.nodeExecutionStack ?? []) {
		if (metadata?.subNodeExecutionData) runData[node.name] ??= [];
	}
}

const itemsOf = ({ data }: Entry): number => data.main?.[0]?.length ?? 0;

function toCall(entry: Entry, { action }: ReviewedAction): AgentCall {
	const hitl = action.metadata!.hitl!;
	// n8n writes these two, unless the model wrote over the tool's name.
	const { tool } = action.input;
	const asides = Object.entries(action.input).filter(
		([name]) => name !== 'toolParameters' && (name !== 'tool' || tool !== hitl.toolName),
	);
	return {
		id: action.id,
		tool: hitl.toolName,
		args: hitl.originalInput,
		asides: Object.fromEntries(asides),
		agent: { name: entry.node.name, items: itemsOf(entry) },
		giveArgs: (args) => {
			action.metadata!.hitl = { ...hitl, originalInput: args };
		},
		tell: (words) => tell(entry, action, words),
	};
}

/** Members that models with signed thoughts need beside a call, and that only n8n can write. */
const SIGNED_BY_MODEL = ['google', 'anthropic', 'deepseek'];

function tell(entry: Entry, { id, nodeName, metadata }: ReviewedAction['action'], words: string) {
	const { actions, metadata: kept } = entry.metadata!.subNodeExecutionData!;
	const before = kept.previousRequests ?? [];
	// A call that stands alone gets its answer in n8n's own way, and several items share one list.
	const alone = actions.length === 1 || itemsOf(entry) > 1;
	const told = before.some(({ action }) => action.toolCallId === id);
	if (alone || told || SIGNED_BY_MODEL.some((name) => metadata?.[name] !== undefined)) return;
	const { toolName, originalInput } = metadata!.hitl!;
	const toolInput = { tool: toolName, ...(originalInput as Members) };
	kept.previousRequests = [...before, stepOf(id, toolName, toolInput, nodeName, words)];
}

/** As n8n's agent writes it, with the model's message as it looks after it was stored. */
const stepOf = (
	id: string,
	tool: string,
	toolInput: Members,
	nodeName: string,
	words: string,
): Step => ({
	action: {
		tool,
		toolInput,
		toolCallId: id,
		type: 'tool_call',
		log: `Calling ${nodeName}`,
		messageLog: [
			{
				lc: 1,
				type: 'constructor',
				id: ['langchain_core', 'messages', 'AIMessage'],
				kwargs: {
					content: [],
					tool_calls: [{ id, name: tool, args: toolInput, type: 'tool_call' }],
					invalid_tool_calls: [],
					additional_kwargs: {},
					response_metadata: {},
				},
			},
		],
	},
	observation: JSON.stringify([{ output: words }]),
});
