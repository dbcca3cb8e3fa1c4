import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createChannels } from './channels/channels';
import { TelegramBot } from './channels/telegram/bot';
import { TelegramButtonSource } from './channels/telegram/button-source';
import { TelegramChannel } from './channels/telegram/telegram-channel';
import type { Config } from './config';
import { createServer } from './http/server';
import { registerPages } from './inbox/pages';
import { checkSecret } from './journal/check-secret';
import type { Journal } from './journal/journal';
import { Signals } from './journal/signals';
import { endedExecutionFrom } from './n8n/ended-execution';
import { executionStatusFrom } from './n8n/execution-status';
import { createResume } from './n8n/resume';
import { openDatabase } from './open-database';
import { version } from './version';
import { runDeposits } from './workers/deposits';
import { runLeases } from './workers/leases';
import { runOutbox } from './workers/outbox';
import { runRetention } from './workers/retention';
import { pollTelegram } from './workers/telegram-polling';
import { runTimers } from './workers/timers';
import { runWakeUps } from './workers/wake-ups';

export interface App {
	readonly server: FastifyInstance;
	/** Begins to listen and to work. */
	start(): Promise<void>;
	/** Answers what is under way, ends the workers, closes the database. */
	stop(): Promise<void>;
}

/** Puts the service together; the only place that knows all parts. */
export async function createApp(config: Config, logger: Logger): Promise<App> {
	const signals = new Signals();
	const { database, closeSignals } = await openDatabase(config.database, signals, logger);
	const now = () => database.now();
	const bot = config.telegram && new TelegramBot(config.telegram);
	const channels = createChannels(
		bot ? [new TelegramChannel(bot, config.telegram?.chatId, config.publicUrl, now)] : [],
	);
	const journal: Journal = {
		database,
		signals,
		random: () => Math.random(),
		randomBytes,
		secret: config.secret,
		publicUrl: config.publicUrl,
		channelRefusal: (request) => channels.refuse(request),
		endedExecution: config.n8nApi && endedExecutionFrom(config.n8nApi.url, config.n8nApi.key),
	};
	await checkSecret(journal);
	const retentionCounts = { runsPruned: 0, tombstonesRemoved: 0 };
	const server = await createServer({ journal, keys: config, version, logger, retentionCounts });
	await registerPages(server, journal, config);

	const stopping = new AbortController();
	const { signal } = stopping;
	const resume = createResume({
		base: config.resumeBase,
		...(config.n8nApi && {
			executionStatus: executionStatusFrom(config.n8nApi.url, config.n8nApi.key),
		}),
	});
	const { runDays, auditDays } = config.retention;
	const retention = { runMs: daysOrNever(runDays), auditMs: daysOrNever(auditDays) };
	let workers: Array<Promise<void>> = [];
	return {
		server,
		async start() {
			// Asked once before listening, so that the first gate knows whether buttons are heard.
			await bot?.listenIn(AbortSignal.any([signal, AbortSignal.timeout(5_000)]));
			await server.listen({ host: config.host, port: config.port });
			workers = [
				runLeases(journal, now, logger, signal),
				runTimers(journal, now, logger, signal),
				runWakeUps(journal, resume, now, logger, signal),
				runOutbox(journal, channels.deliver, now, logger, signal),
				runDeposits(journal, now, logger, signal),
				runRetention(journal, retention, retentionCounts, now, logger, signal),
			];
			if (bot)
				workers.push(pollTelegram(journal, new TelegramButtonSource(bot, logger), logger, signal));
		},
		async stop() {
			stopping.abort();
			// Claims that wait for another caller would hold up the stop for as long as they may wait.
			signals.end();
			await server.close();
			await Promise.all(workers);
			await closeSignals();
			await journal.database.close();
		},
	};
}

/** Days as milliseconds; 0 stands for never. */
function daysOrNever(days: number): number | undefined {
	return days === 0 ? undefined : days * 86_400_000;
}
