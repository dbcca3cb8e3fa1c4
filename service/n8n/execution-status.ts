import axios from 'axios';

/** What n8n knows of an execution. */
export interface Execution {
	/** n8n's word: running, waiting, success, error, crashed, canceled … */
	readonly status: string;
	readonly workflowId: string | undefined;
}

/** `undefined`: the API cannot tell. Never throws. */
export type AskExecution = (executionId: string) => Promise<Execution | undefined>;

/** `undefined`: the API cannot tell. */
export type ExecutionStatus = (executionId: string) => Promise<'running' | 'finished' | undefined>;

const TIMEOUT_MS = 5_000;
const FINISHED = new Set(['success', 'error', 'crashed', 'canceled']);

/**
 * Asks n8n's public API for one execution.
 * @param url N8N_API_URL, with or without `/api/v1`
 * @param key an n8n API key with the scope `execution:read`
 * @param timeoutMs how long n8n may take to answer
 */
export function askExecutionFrom(url: string, key: string, timeoutMs = TIMEOUT_MS): AskExecution {
	const base = url.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
	return async (executionId) => {
		try {
			const answer = await axios.get<{ status?: unknown; workflowId?: unknown }>(
				`${base}/api/v1/executions/${encodeURIComponent(executionId)}`,
				{
					headers: { 'X-N8N-API-KEY': key },
					timeout: timeoutMs,
					// The time-out of axios begins anew with each piece of an answer.
					signal: AbortSignal.timeout(timeoutMs),
					maxRedirects: 0,
				},
			);
			const { status, workflowId } = answer.data;
			if (typeof status !== 'string') return undefined;
			return { status, workflowId: typeof workflowId === 'string' ? workflowId : undefined };
		} catch {
			return undefined;
		}
	};
}

/** Tells a finished execution from one that still runs or waits. */
export function executionStatusFrom(url: string, key: string): ExecutionStatus {
	const ask = askExecutionFrom(url, key);
	return async (executionId) => {
		const execution = await ask(executionId);
		return execution && (FINISHED.has(execution.status) ? 'finished' : 'running');
	};
}
