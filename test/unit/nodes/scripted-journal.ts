import type { IHttpRequestOptions } from 'n8n-workflow';
import type { JournalContext } from '../../../nodes/shared/journal-client';

/** What one request to the journal gets: an answer, or a transport error. */
export type Reply = { statusCode: number; body: unknown; headers?: object } | Error;

export interface ScriptedJournal {
	context: JournalContext;
	/** Every request that was sent, in order. */
	requests: IHttpRequestOptions[];
}

/** A context whose journal answers by a script; the last reply is repeated. */
export function scriptedJournal(
	replies: Reply[],
	credential: object = { baseUrl: 'http://127.0.0.1:5690/', apiKey: 'the-key' },
): ScriptedJournal {
	const requests: IHttpRequestOptions[] = [];
	return {
		requests,
		context: {
			getCredentials: async <T extends object>() => credential as T,
			helpers: {
				httpRequest: async (options) => {
					const reply = replies[Math.min(requests.length, replies.length - 1)]!;
					requests.push(options);
					if (reply instanceof Error) throw reply;
					return reply;
				},
			},
		},
	};
}

export const KEY = 'a'.repeat(64);

export const problem = (status: number, code: string, more: object = {}): Reply => ({
	statusCode: status,
	body: { type: 'about:blank', title: code, status, code, detail: `detail of ${code}`, ...more },
});

export const granted = (attempt = 1): Reply => ({
	statusCode: 200,
	body: {
		outcome: 'execute',
		key: KEY,
		attempt,
		fencingToken: attempt,
		leaseExpiresAt: '2027-06-01T09:01:00.000Z',
	},
});

export const replayed = (result: unknown): Reply => ({
	statusCode: 200,
	body: {
		outcome: 'replay',
		key: KEY,
		attempt: 1,
		result,
		completedAt: '2027-06-01T09:00:00.000Z',
	},
});

export const settled = (state: string, more: object = {}): Reply => ({
	statusCode: 200,
	body: { state, ...more },
});
