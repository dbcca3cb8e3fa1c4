/** The stand-ins of examples/ as a real process: receivers that count what really happened. */
import { join } from 'node:path';
import { nodeRuntime } from '../tools/node-runtime.mjs';
import { ROOT } from '../tools/paths.mjs';
import { startProcess } from './child-process';
import { freePort } from './free-port';
import { httpRequest } from './http-request';
import { waitUntil } from './wait-until';

/** Which calls: by path (as called), business reference, and a text in the body. */
export interface CallMatch {
	path: string;
	ref?: string;
	contains?: string;
	when?: 'before' | 'after';
	count?: number;
}

export interface Counts {
	totals: Record<
		'lookups' | 'invoices' | 'mails' | 'contracts' | 'crmUpdates' | 'modelCalls',
		number
	>;
	modelCostUsd: number;
	doubled: Array<{ kind: string; path: string; ref: string; label: string; count: number }>;
	replayedByReceiver: number;
	requests: number;
	/** reference → path (for the model: path, prompt hash, prompt) → how often */
	byRef: Record<string, Record<string, number>>;
	effects: Array<{ kind: string; path: string; ref: string; label: string; count: number }>;
}

export interface StandIns {
	readonly baseUrl: string;
	counts(): Promise<Counts>;
	reset(): Promise<void>;
	/** Matching calls hang before or after their effect; all of them, unless a count is given. */
	hold(match: CallMatch): Promise<void>;
	held(): Promise<Array<{ id: number; path: string; ref: string; when: string }>>;
	/** Waits until this many calls hang. */
	waitForHeld(count: number, timeoutMs?: number): Promise<void>;
	release(match?: { path?: string; ref?: string }): Promise<void>;
	/** The next matching call (or `count` of them) gets this answer, or a reset connection. */
	fail(
		match: CallMatch & {
			status: number | 'reset';
			headers?: Record<string, string>;
			body?: unknown;
		},
	): Promise<void>;
	stop(): Promise<void>;
}

/** Starts the stand-ins on a free port and returns when they answer. */
export async function startStandIns(): Promise<StandIns> {
	const port = await freePort();
	const baseUrl = `http://127.0.0.1:${port}`;
	const server = join(ROOT, 'examples', 'stand-ins', 'server.mjs');
	const started = startProcess(nodeRuntime(), [server], {
		env: { PATH: process.env.PATH, STAND_INS_PORT: String(port) },
	});
	const call = async (method: string, path: string, body?: unknown) => {
		const answer = await httpRequest(method, baseUrl + path, body);
		if (answer.status !== 200) throw new Error(`stand-ins ${path}: ${answer.status}`);
		return answer.body;
	};
	await waitUntil('the stand-ins to answer', () => call('GET', '/counts')).catch(
		async (error: unknown) => {
			await started.kill();
			throw new Error(`The stand-ins did not start:\n${started.log()}`, { cause: error });
		},
	);
	const held = () => call('GET', '/held');
	return {
		baseUrl,
		counts: () => call('GET', '/counts'),
		reset: () => call('POST', '/reset', {}),
		hold: (match) => call('POST', '/hold', match),
		held,
		async waitForHeld(count, timeoutMs) {
			await waitUntil(
				`${count} calls to be held`,
				async () => (await held()).length >= count,
				timeoutMs === undefined ? {} : { timeoutMs },
			);
		},
		release: (match = {}) => call('POST', '/release', match),
		fail: (match) => call('POST', '/fail', match),
		stop: () => started.kill(),
	};
}
