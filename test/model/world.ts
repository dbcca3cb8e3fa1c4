/** The journal under test: its real routes and use cases on a store that crashes when told to. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { createServer } from '../../service/http/server';
import { doubtDeadHolder } from '../../service/journal/doubt-dead-holder';
import { expireLeases } from '../../service/journal/expire-leases';
import { fireTimers } from '../../service/journal/fire-timers';
import type { Journal } from '../../service/journal/journal';
import { Signals } from '../../service/journal/signals';
import type { WakeReply } from '../../service/domain/wake-up';
import { makeWakeUpsDue, recordWakeUp, takeDueWakeUps } from '../../service/journal/wake-up';
import { ADMIN_KEY, API_KEY, readerWithoutThread } from '../api';
import { FakeClock } from '../fake-journal';
import type { CrashableStore } from './crashable-store';
import { FaultyDatabase } from './faulty-database';

export interface Answer {
	readonly status: number;
	readonly body: any;
}

/** What a crash takes with it. */
interface Process {
	readonly database: FaultyDatabase;
	readonly signals: Signals;
}

let running: Process;
const journal: Journal = {
	get database() {
		return running.database;
	},
	get signals() {
		return running.signals;
	},
	random: () => 0.5,
	randomBytes,
	secret: Buffer.from('a secret of the tests, 32 bytes!'),
	publicUrl: 'http://127.0.0.1:5690',
	channelRefusal: () => undefined,
};
let routes: Promise<FastifyInstance> | undefined;

/** One at a time: the routes are kept, since preparing them takes longer than a whole history. */
export class World {
	readonly clock = new FakeClock();
	readonly journal = journal;
	#killsAtBreak = false;

	private constructor(
		readonly store: CrashableStore,
		readonly server: FastifyInstance,
	) {}

	static async open(store: CrashableStore): Promise<World> {
		routes ??= createServer({
			journal,
			keys: { apiKey: API_KEY, adminKey: ADMIN_KEY },
			version: '0.0.0-test',
			logger: pino({ level: 'silent' }),
			bodyReader: readerWithoutThread,
		});
		const world = new World(store, await routes);
		await world.#start();
		return world;
	}

	async call(method: string, path: string, body?: object): Promise<Answer> {
		const answer = await this.server.inject({
			method: method as 'GET',
			url: path,
			headers: { authorization: `Bearer ${ADMIN_KEY}` },
			...(body && { payload: body }),
		});
		const isJson = /json$|json;/.test(String(answer.headers['content-type']));
		const isLines = /ndjson/.test(String(answer.headers['content-type']));
		return { status: answer.statusCode, body: isJson && !isLines ? answer.json() : answer.body };
	}

	/** What the workers do, once. An error of the store is an answer like those over HTTP. */
	async fireTimers(): Promise<Answer> {
		return await asAnswer(async () => await fireTimers(journal));
	}

	async expireLeases(): Promise<Answer> {
		return await asAnswer(async () => await expireLeases(journal));
	}

	/** What a claim does that meets another execution's lease, where n8n says that this one crashed. */
	async doubtHolder(key: string, asking: string): Promise<Answer> {
		const told = { ...journal, endedExecution: async () => 'crashed' };
		return await asAnswer(async () => {
			const doubted = await doubtDeadHolder(told, key, asking);
			return { state: doubted ? 'doubted' : 'not doubted' };
		});
	}

	/**
	 * Takes a wake-up that is due and records what came of it.
	 * @param reply with `none` the process hears nothing of its call
	 * @returns the body: which one was told, and whether the reply was recorded
	 */
	async wakeUp(reply: WakeReply | 'none'): Promise<Answer> {
		return await asAnswer(async () => {
			const [taken] = await takeDueWakeUps(journal, 1);
			if (!taken) return {};
			const { waiter, gateId, resumeUrl } = taken;
			const recorded =
				reply !== 'none' &&
				(await asAnswer(() => recordWakeUp(journal, waiter, { reply, status: 200 })));
			return { told: `${gateId} ${resumeUrl}`, recorded: recorded && recorded.status === 200 };
		});
	}

	/**
	 * From here on the `query`-th query of all writes breaks.
	 * @param kills whether that is the instant of a kill, to be followed by `crash({ at: 'break' })`
	 */
	breakAt(query: number, kills: boolean): void {
		this.#killsAtBreak = kills;
		running.database.breakAt(query);
	}

	/** @returns whether a query broke since `breakAt` */
	repair(): boolean {
		return running.database.repair();
	}

	/** Throws the process away and starts another on what a kill leaves. */
	async crash({ at = 'now' }: { at?: 'now' | 'break' } = {}): Promise<void> {
		if (at === 'now') this.store.kill();
		await running.database.close();
		await this.#start();
		await makeWakeUpsDue(journal);
	}

	async close(): Promise<void> {
		await running.database.close();
		await this.store.remove();
	}

	async #start(): Promise<void> {
		const database = await this.store.open(this.clock.now);
		const onBreak = () => {
			if (this.#killsAtBreak) this.store.kill();
		};
		running = { database: new FaultyDatabase(database, onBreak), signals: new Signals() };
	}
}

async function asAnswer(work: () => Promise<unknown>): Promise<Answer> {
	try {
		return { status: 200, body: await work() };
	} catch (error) {
		if ((error as { code?: string }).code !== 'store_busy') throw error;
		return { status: 503, body: { code: 'store_busy' } };
	}
}
