import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { backoffMs } from '../../domain/retry-policy';
import { KEEP_ALIVE_AFTER_MS } from './keep-alive';

export interface PostgresSignalsOptions {
	/** Another process signalled this topic. */
	readonly received: (topic: string) => void;
	/** Signals may have been lost: whoever waits for anything should look. */
	readonly missed: () => void;
	readonly onLostConnection: (error: Error) => void;
}

const CHANNEL = 'durable_journal';
/** https://www.postgresql.org/docs/current/sql-notify.html: a payload must be shorter than 8000 bytes. */
const MAX_PAYLOAD = 7_900;

/** In place of a topic: signals were lost, so everybody should look. */
const EVERYTHING = '*';
/** Signals come late or never from a server that takes longer, milliseconds. */
const ANSWER_WITHIN_MS = 10_000;

/**
 * Carries signals between the processes that share one database, by LISTEN and NOTIFY on a
 * connection of its own. A lost signal costs time, never truth: after every new connection
 * everybody looks, in every process.
 */
export class PostgresSignals {
	readonly #url: string;
	readonly #options: PostgresSignalsOptions;
	readonly #origin = randomBytes(6).toString('base64url');
	readonly #closing = new AbortController();
	readonly #owed = new Set<string>();
	#client: Client | undefined;
	#sending = false;

	constructor(url: string, options: PostgresSignalsOptions) {
		this.#url = url;
		this.#options = options;
	}

	/** @throws when the first connection cannot be made */
	async open(): Promise<void> {
		this.#client = await this.#connect();
	}

	/** Topics of one turn of the event loop, and of the time that the last sending takes, go together. */
	send(topic: string): void {
		// Its successor says that signals were lost.
		if (!this.#client) return;
		this.#owed.add(topic);
		if (this.#sending) return;
		this.#sending = true;
		setImmediate(() => void this.#sendOwed());
	}

	async close(): Promise<void> {
		this.#closing.abort();
		await this.#client?.end().catch(() => {});
	}

	async #sendOwed(): Promise<void> {
		try {
			while (this.#owed.size > 0 && this.#client) {
				const payloads = this.#takePayloads();
				const notify = {
					name: 'notify',
					text: 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload',
				};
				await this.#client.query({ ...notify, values: [CHANNEL, payloads] });
			}
		} catch {
			// Said with the next signal, where the connection lives on.
			this.#owed.add(EVERYTHING);
		} finally {
			this.#sending = false;
		}
	}

	#takePayloads(): string[] {
		const payloads: string[] = [];
		let payload = this.#origin;
		for (const topic of this.#owed) {
			if (payload.length + 1 + topic.length > MAX_PAYLOAD) {
				payloads.push(payload);
				payload = this.#origin;
			}
			payload += ` ${topic}`;
		}
		this.#owed.clear();
		return [...payloads, payload];
	}

	async #connect(): Promise<Client> {
		const client = new Client({
			connectionString: this.#url,
			application_name: 'durable-journal signals',
			connectionTimeoutMillis: 10_000,
			keepAlive: true,
			keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
			query_timeout: ANSWER_WITHIN_MS,
			// So that an answer that does not come ends the connection.
			pipeline: true,
		} as ConstructorParameters<typeof Client>[0]);
		client.on('notification', ({ payload }) => {
			const [origin, ...topics] = (payload ?? '').split(' ');
			if (origin === this.#origin) return;
			if (topics.includes(EVERYTHING)) this.#options.missed();
			else topics.forEach((topic) => this.#options.received(topic));
		});
		let lost = false;
		const onEnd = (error: Error) => {
			if (lost || this.#client !== client) return;
			lost = true;
			this.#client = undefined;
			if (this.#closing.signal.aborted) return;
			this.#options.onLostConnection(error);
			void this.#reconnect();
		};
		client.on('error', onEnd);
		client.on('end', () => onEnd(new Error('the connection for signals ended')));
		try {
			await client.connect();
			await client.query(`LISTEN ${CHANNEL}`);
			return client;
		} catch (error) {
			await client.end().catch(() => {});
			throw error;
		}
	}

	async #reconnect(): Promise<void> {
		for (let attempt = 1; !this.#closing.signal.aborted; attempt++) {
			try {
				const client = await this.#connect();
				this.#client = client;
				if (this.#closing.signal.aborted) await client.end();
				else {
					this.#options.missed();
					this.send(EVERYTHING);
				}
				return;
			} catch {
				// At least a moment, and some seconds at most.
				const ms = 100 + Math.min(5_000, backoffMs(attempt, Math.random()));
				await pause(ms, undefined, { signal: this.#closing.signal }).catch(() => {});
			}
		}
	}
}
