import axios from 'axios';

/** `undefined`: the API cannot tell. */
export type ExecutionStatus = (executionId: string) => Promise<'running' | 'finished' | undefined>;

const TIMEOUT_MS = 5_000;
const FINISHED = new Set(['success', 'error', 'crashed', 'canceled']);

/**
 * Asks n8n's public API for one execution.
 * @param url N8N_API_URL, with or without `/api/v1`
 * @param key an n8n API key with the scope `execution:read`
 */
export function executionStatusFrom(url: string, key: string): ExecutionStatus {
	const base = url.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
	return async (executionId) => {
		try {
			const answer = await axios.get<{ status?: unknown }>(
				`${base}/api/v1/executions/${encodeURIComponent(executionId)}`,
				{ headers: { 'X-N8N-API-KEY': key }, timeout: TIMEOUT_MS, maxRedirects: 0 },
			);
			const { status } = answer.data;
			if (typeof status !== 'string') return undefined;
			return FINISHED.has(status) ? 'finished' : 'running';
		} catch {
			return undefined;
		}
	};
}
