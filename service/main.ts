import './node-version';
import { existsSync } from 'node:fs';
import { pino } from 'pino';
import { createApp } from './app';
import { ConfigError, readConfig } from './config';
import { describeStartError } from './start-error';

/** The journal as a process, configured by its environment. */
async function run(): Promise<void> {
	const config = readConfig(process.env);
	const logger = pino({ level: config.logLevel });
	for (const place of config.generated) logger.info(place);
	const app = await createApp(config, logger);
	const stop = (signal: NodeJS.Signals) => {
		logger.info({ signal }, 'stopping');
		app.stop().then(
			() => process.exit(0),
			(err: unknown) => {
				logger.error({ err }, 'the stop failed');
				process.exit(1);
			},
		);
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
	await app.start();
}

/** `npm run service`, `durable-journal serve`: the same with a `.env` file, and what is wrong in plain lines. */
export async function serve(): Promise<void> {
	if (existsSync('.env')) process.loadEnvFile('.env');
	await run().catch(giveUp);
}

function giveUp(error: unknown): never {
	const lines = error instanceof ConfigError ? error.problems : [describeStartError(error)];
	for (const line of lines) process.stderr.write(`durable-journal cannot start: ${line}\n`);
	process.exit(1);
}

if (require.main === module) void serve();
