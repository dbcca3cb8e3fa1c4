import type { Logger } from 'pino';
import type { DatabaseAddress } from './config';
import type { Signals } from './journal/signals';
import type { Database } from './store/database';
import { PostgresDatabase } from './store/postgres/postgres-database';
import { PostgresSignals } from './store/postgres/postgres-signals';
import { SqliteDatabase } from './store/sqlite/sqlite-database';

/**
 * Opens the configured store. Where several processes share it, signals go between them.
 * @throws when it cannot be reached or is not fit
 */
export async function openDatabase(
	address: DatabaseAddress,
	signals: Signals,
	logger: Logger,
): Promise<{ database: Database; closeSignals: () => Promise<void> }> {
	if (address.kind === 'sqlite')
		return {
			database: new SqliteDatabase(address.file, () => Date.now()),
			closeSignals: async () => {},
		};
	const onLostConnection = (err: Error) =>
		logger.warn({ err }, 'a connection to PostgreSQL broke; another is made when it is needed');
	const database = await PostgresDatabase.open(address.url, { onLostConnection }).catch(
		(error: unknown) => {
			throw new Error(describe(address.url, error as Error), { cause: error });
		},
	);
	const relay = new PostgresSignals(address.url, {
		received: (topic) => signals.notifyHere(topic),
		missed: () => signals.notifyAllHere(),
		onLostConnection,
	});
	signals.relayTo((topic) => relay.send(topic));
	await relay.open();
	return { database, closeSignals: async () => await relay.close() };
}

/** Without the password that the address holds. */
function describe(url: string, error: Error): string {
	const { host, pathname } = new URL(url);
	const cause = error.cause instanceof AggregateError ? error.cause.errors[0] : error;
	const message = cause instanceof Error ? cause.message : error.message;
	return `JOURNAL_DATABASE, PostgreSQL at ${host}${pathname}, cannot be used: ${message.replace(/\.?$/, '.')} Check the address, that the server runs and that the user may create tables there.`;
}
