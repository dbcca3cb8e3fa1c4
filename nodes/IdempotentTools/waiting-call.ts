import type { EngineResponse, IExecuteFunctions } from 'n8n-workflow';
import type { PendingStep } from '../shared/engine-step';
import type { ToolAnswer } from '../shared/judge-tool-answer';

/** A call that n8n's engine is running for us. JSON only: n8n keeps it in the execution's data. */
export interface WaitingCall {
	actionId: string;
	/** Undefined for a read-only tool, which has no step. */
	pending?: PendingStep;
	/** True where the same call was made before and is not meant to happen again. */
	again: boolean;
}

interface Kept {
	waitingCalls?: { executionId: string; byToolCall: Record<string, WaitingCall> };
}

type CallContext = Pick<IExecuteFunctions, 'getContext' | 'getExecutionId'>;

/** Those of another execution are not ours to continue: the journal alone knows what happened. */
function callsOf(context: CallContext): Record<string, WaitingCall> {
	const kept = context.getContext('node') as Kept;
	const executionId = context.getExecutionId();
	if (kept.waitingCalls?.executionId !== executionId) {
		kept.waitingCalls = { executionId, byToolCall: {} };
	}
	return kept.waitingCalls.byToolCall;
}

/** Keeps a call until n8n comes back with its answer. */
export function keepCall(context: CallContext, toolCallId: string, call: WaitingCall): void {
	callsOf(context)[toolCallId] = call;
}

export function dropCall(context: CallContext, toolCallId: string): void {
	delete callsOf(context)[toolCallId];
}

/** The call that waits, with its answer; undefined where n8n brings none for it. */
export function findAnswer(
	context: CallContext,
	toolCallId: string,
	response: EngineResponse | undefined,
): { call: WaitingCall; answer: ToolAnswer } | undefined {
	const call = callsOf(context)[toolCallId];
	// Answers to other calls, and under Retry On Fail earlier ones, come again.
	const answer = response?.actionResponses.findLast(({ action }) => action.id === call?.actionId);
	return call && answer ? { call, answer } : undefined;
}
