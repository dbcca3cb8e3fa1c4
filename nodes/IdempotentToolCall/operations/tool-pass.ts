import type { EngineResponse, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { EngineTarget, PendingStep } from '../../shared/engine-step';
import type { ToolAnswer } from '../../shared/judge-tool-answer';
import type { FirstItems } from '../output-items';

/**
 * Where one pass over the input items stands between two calls of `execute`. JSON only: n8n keeps it
 * in the execution's data, so that it survives a tool that waits.
 */
export interface ToolPass {
	/** Execution and run index; a pass of another one is not ours to continue. */
	id: string;
	/** The tool under this node, as found before the first claim. */
	tool: EngineTarget;
	nextItem: number;
	outputs: INodeExecutionData[][];
	firstItems: FirstItems;
	pending?: PendingStep;
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
export const newPass = (context: IExecuteFunctions, tool: EngineTarget): ToolPass => ({
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
): { pass: ToolPass; pending: PendingStep; answer: ToolAnswer } | undefined {
	// Under Retry On Fail earlier answers come again before the newest.
	const answer = response?.actionResponses.at(-1);
	const pass = keptBy(context).toolPass;
	if (!answer || pass?.id !== passId(context) || !pass.pending) return undefined;
	const { pending } = pass;
	return answer.action.id === pending.actionId ? { pass, pending, answer } : undefined;
}
