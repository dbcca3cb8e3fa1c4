import type { EndedExecution } from '../domain/ended-execution';
import { askExecutionFrom, type AskExecution } from './execution-status';

/** Callers wait for the answer, so it is not waited for long. */
const TIMEOUT_MS = 2_000;
/** n8n is asked about an execution once in this time, however many ask. */
const KEPT_MS = 1_000;
const FAILED = new Set(['crashed', 'error', 'canceled']);

/** Asks n8n whether the execution that holds a step has ended without success. */
export function endedExecutionFrom(url: string, key: string): EndedExecution {
	return endedExecution(askExecutionFrom(url, key, TIMEOUT_MS), () => performance.now());
}

/**
 * @param ask asks n8n; never throws
 * @param now milliseconds that only grow
 */
export function endedExecution(ask: AskExecution, now: () => number): EndedExecution {
	const answers = new Map<string, { at: number; answer: ReturnType<AskExecution> }>();
	return async (executionId, workflowId) => {
		for (const [id, { at }] of answers) if (now() - at >= KEPT_MS) answers.delete(id);
		const known = answers.get(executionId) ?? { at: now(), answer: ask(executionId) };
		answers.set(executionId, known);
		const execution = await known.answer;
		if (!execution || !FAILED.has(execution.status)) return undefined;
		// Another n8n that shares the journal numbers its executions alike.
		const isOurs = workflowId === undefined || execution.workflowId === workflowId;
		return isOurs ? execution.status : undefined;
	};
}
