import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import axios from 'axios';
import { executionIdOf, reachableResumeUrl } from '../domain/resume-url';
import type { WakeReply } from '../domain/wake-up';
import { conflictKind } from './conflict-kind';
import type { ExecutionStatus } from './execution-status';

export interface ResumeOptions {
	/** N8N_RESUME_BASE: replaces all before `/webhook-waiting/`. */
	readonly base: string | undefined;
	/** Tells a running execution from a finished one; without it, n8n's text does. */
	readonly executionStatus?: ExecutionStatus;
	/** How long n8n may take to answer. */
	readonly timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 1_048_576;
// A wake-up is rare: no idle connection is worth keeping.
const agents = {
	httpAgent: new HttpAgent({ keepAlive: false }),
	httpsAgent: new HttpsAgent({ keepAlive: false }),
};

/**
 * Calls n8n's resume URLs. The call carries the gate's id and no authority: the node reads the
 * decision from the journal.
 * @returns never throws; `status` is null when there was no answer
 */
export function createResume(options: ResumeOptions) {
	return async (
		resumeUrl: string,
		gateId: string,
		signal: AbortSignal,
	): Promise<{ reply: WakeReply; status: number | null }> => {
		try {
			const { status, data } = await axios.post<string>(
				reachableResumeUrl(resumeUrl, options.base),
				{ gateId },
				{
					...agents,
					signal,
					timeout: options.timeoutMs ?? TIMEOUT_MS,
					// The URL is a secret: a redirect would hand it to somebody else.
					maxRedirects: 0,
					maxContentLength: MAX_ANSWER_BYTES,
					responseType: 'text',
					transformResponse: (body: string) => body,
					validateStatus: () => true,
				},
			);
			return { reply: await replyOf(options, resumeUrl, status, data), status };
		} catch {
			// The error of axios holds the URL: it goes no further.
			return { reply: 'later', status: null };
		}
	};
}

async function replyOf(
	{ executionStatus }: ResumeOptions,
	resumeUrl: string,
	status: number,
	body: string,
): Promise<WakeReply> {
	if (status >= 200 && status < 300) return isJson(body) ? 'resumed' : 'later';
	if (status === 404 || status === 401) return 'missing';
	if (status !== 409) return 'later';
	const executionId = executionIdOf(resumeUrl);
	const known = executionId && (await executionStatus?.(executionId));
	return (known || conflictKind(body)) === 'finished' ? 'missing' : 'later';
}

/** A proxy that answers with a page of its own has not passed the call on. */
function isJson(body: string): boolean {
	try {
		JSON.parse(body);
		return true;
	} catch {
		return false;
	}
}
