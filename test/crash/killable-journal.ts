/** A journal process that kills itself at a named point. */
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeRuntime } from '../../tools/node-runtime.mjs';
import { ROOT } from '../../tools/paths.mjs';
import { startProcess, type RunningProcess } from '../child-process';
import { freePort } from '../free-port';
import { httpRequest, type HttpAnswer } from '../http-request';
import { waitUntil } from '../wait-until';

export interface Kill {
	/** As kill-at.cjs names them. */
	readonly point: string;
	readonly passage: number;
	/** Microseconds, for the points inside one call of the store. */
	readonly delay: number;
}

const PRELOAD = join(ROOT, 'test', 'crash', 'kill-at.cjs');

export class KillableJournal {
	#process: RunningProcess | undefined;
	readonly #key = randomBytes(24).toString('base64url');

	private constructor(
		readonly address: string,
		readonly secret: string,
		readonly port: number,
	) {}

	/** @param address JOURNAL_DATABASE */
	static async on(address: string, secret: string): Promise<KillableJournal> {
		return new KillableJournal(address, secret, await freePort());
	}

	/**
	 * Starts the process and waits until it answers or is dead.
	 * @param kill what is to kill it
	 * @returns whether it answers
	 */
	async start(kill?: Kill): Promise<boolean> {
		await this.stop();
		const started = startProcess(nodeRuntime(), ['--require', PRELOAD, MAIN], {
			cwd: tmpdir(),
			env: {
				PATH: process.env.PATH,
				HOME: process.env.HOME,
				JOURNAL_PORT: String(this.port),
				JOURNAL_DATABASE: this.address,
				JOURNAL_API_KEY: this.#key,
				JOURNAL_ADMIN_KEY: this.#key,
				JOURNAL_SECRET: this.secret,
				JOURNAL_LOG_LEVEL: 'error',
				...(kill && { KILL_AT: `${kill.point}:${kill.passage}:${kill.delay}` }),
			},
		});
		this.#process = started;
		await waitUntil(
			'the journal to be ready or dead',
			async () =>
				started.ended() !== undefined || (await this.request('GET', '/readyz')).status === 200,
			{ everyMs: 25 },
		);
		const ended = started.ended();
		if (ended === undefined) return true;
		if (ended !== 'SIGKILL') throw new Error(`The journal ended with ${ended}:\n${started.log()}`);
		return false;
	}

	/** From now on passages count. */
	arm(): void {
		process.kill(this.#process!.pid, 'SIGUSR2');
	}

	/** Also before its first start. */
	get isDead(): boolean {
		return this.#process === undefined || this.#process.ended() !== undefined;
	}

	log(): string {
		return this.#process?.log() ?? '';
	}

	async stop(): Promise<void> {
		await this.#process?.kill();
	}

	/** @throws when there was no whole answer */
	async request(method: string, path: string, body?: object): Promise<HttpAnswer> {
		return await httpRequest(method, `http://127.0.0.1:${this.port}${path}`, body, {
			authorization: `Bearer ${this.#key}`,
		});
	}
}

const MAIN = join(ROOT, 'service', 'dist', 'main.js');
