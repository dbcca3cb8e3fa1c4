/** The journal service as a real process, built by `npm run build`: started, killed, restarted. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeRuntime } from '../tools/node-runtime.mjs';
import { ROOT } from '../tools/paths.mjs';
import { startProcess } from './child-process';
import { freePort } from './free-port';
import { httpRequest, type HttpAnswer } from './http-request';
import { waitUntil } from './wait-until';

export interface JournalOptions {
	/** `sqlite:<path>`; a new one in a temporary folder if left out, removed by `stop`. */
	database?: string;
	port?: number;
	/** Added to the environment, and kept over restarts. */
	env?: Record<string, string>;
}

export interface Journal {
	readonly baseUrl: string;
	readonly apiKey: string;
	readonly adminKey: string;
	readonly database: string;
	readonly pid: number;
	/** A call with the API key. */
	request(method: string, path: string, body?: unknown): Promise<HttpAnswer>;
	/** A call with the admin key. */
	admin(method: string, path: string, body?: unknown): Promise<HttpAnswer>;
	log(): string;
	kill(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>;
	/** Starts it again on the same database, port and keys; kills it first if it runs. */
	restart(): Promise<void>;
	/** Kills it and removes a database that was made for it. */
	stop(): Promise<void>;
}

const randomKey = () => randomBytes(24).toString('base64url');

/** Starts a journal with random keys and returns when it is ready. */
export async function startJournal(options: JournalOptions = {}): Promise<Journal> {
	const folder = options.database ? undefined : mkdtempSync(join(tmpdir(), 'durable-journal-'));
	const database = options.database ?? `sqlite:${join(folder!, 'journal.db')}`;
	const port = options.port ?? (await freePort());
	const baseUrl = `http://127.0.0.1:${port}`;
	const env = {
		PATH: process.env.PATH,
		HOME: process.env.HOME,
		JOURNAL_HOST: '127.0.0.1',
		JOURNAL_PORT: String(port),
		JOURNAL_DATABASE: database,
		JOURNAL_API_KEY: randomKey(),
		JOURNAL_ADMIN_KEY: randomKey(),
		JOURNAL_SECRET: randomBytes(32).toString('base64url'),
		...options.env,
	};
	const launch = async () => {
		const started = startProcess(nodeRuntime(), [join(ROOT, 'service', 'dist', 'main.js')], {
			// Its own folder, so that a .env file of the checkout is not read.
			cwd: folder ?? tmpdir(),
			env,
		});
		try {
			await waitUntil('the journal to be ready', async () => {
				if (started.ended() !== undefined) return true;
				return (await httpRequest('GET', `${baseUrl}/readyz`)).status === 200;
			});
			if (started.ended() !== undefined) throw new Error(`it ended: ${started.ended()}`);
		} catch (error) {
			await started.kill();
			throw new Error(`The journal did not start:\n${started.log().slice(-3000)}`, {
				cause: error,
			});
		}
		return started;
	};
	let current = await launch();
	const call = (key: string) => (method: string, path: string, body?: unknown) =>
		httpRequest(method, baseUrl + path, body, { authorization: `Bearer ${key}` });
	return {
		baseUrl,
		apiKey: env.JOURNAL_API_KEY,
		adminKey: env.JOURNAL_ADMIN_KEY,
		database,
		get pid() {
			return current.pid;
		},
		request: call(env.JOURNAL_API_KEY),
		admin: call(env.JOURNAL_ADMIN_KEY),
		log: () => current.log(),
		kill: (signal = 'SIGKILL') => current.kill(signal),
		async restart() {
			await current.kill();
			current = await launch();
		},
		async stop() {
			await current.kill();
			if (folder) rmSync(folder, { recursive: true, force: true });
		},
	};
}
