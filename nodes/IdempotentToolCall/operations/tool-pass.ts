import type { EngineResponse, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { StepRequest } from '../../shared/claim-step';
import type { ToolAnswer } from '../../shared/judge-tool-answer';
import type { Held } from '../../shared/settle-step';
import type { FirstItems } from '../output-items';

/** The tool call that n8n's engine is running for us. */
export interface PendingCall {
	itemIndex: number;
	/** Id of the engine request; another one for every attempt. */
	actionId: string;
	held: Held;
	/** Frozen when claimed, so that the next attempt asks for the same step. */
	request: StepRequest;
	input: Record<string, unknown>;
	/** Unix epoch ms. */
	giveUpAt: number;
}

/** The tool under this node, as found before the first claim. */
export interface ConnectedTool {
	/** Name of its node. */
	node: string;
	/** n8n node type. */
	type: string;
	/** Full name of the chosen tool of a toolkit. */
	toolName?: string;
}

/**
 * Where one pass over the input items stands between two calls of `execute`. JSON only: n8n keeps it
 * in the execution's data, so that it survives a tool that waits.
 */
export interface ToolPass {
	/** Execution and run index; a pass of another one is not ours to continue. */
	id: string;
	tool: ConnectedTool;
	nextItem: number;
	outputs: INodeExecutionData[][];
	firstItems: FirstItems;
	pending?: PendingCall;
}

interface Kept {
	toolPass?: ToolPass;
}

const keptBy = (context: IExecuteFunctions) => context.getContext('node') as Kept;

/** Stores where the pass stands, until n8n calls again. */
export function keepPass(context: IExecuteFunctions, pass: ToolPass): void {
	keptBy(context).toolPass = pass;
}

export function dropPass(context: IExecuteFunctions): void {
	delete keptBy(context).toolPass;
}

/** Identifies this execution and run of the node. */
const passId = (context: IExecuteFunctions): string =>
	`${context.getExecutionId()}#${context.getWorkflowDataProxy(0).$runIndex as number}`;

/** A pass that begins at the first item: the journal alone knows what already happened. */
export const newPass = (context: IExecuteFunctions, tool: ConnectedTool): ToolPass => ({
	id: passId(context),
	tool,
	nextItem: 0,
	outputs: [],
	firstItems: {},
});

/**
 * Finds the pass that this answer belongs to. Answers of another execution (n8n retries a waiting
 * execution with the tool's input as its result) and of an earlier attempt are not answers.
 */
export function resumePass(
	context: IExecuteFunctions,
	response: EngineResponse | undefined,
): { pass: ToolPass; pending: PendingCall; answer: ToolAnswer } | undefined {
	// Under Retry On Fail earlier answers come again before the newest.
	const answer = response?.actionResponses.at(-1);
	const pass = keptBy(context).toolPass;
	if (!answer || pass?.id !== passId(context) || !pass.pending) return undefined;
	const { pending } = pass;
	return answer.action.id === pending.actionId ? { pass, pending, answer } : undefined;
}
