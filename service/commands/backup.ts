import { existsSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DatabaseAddress } from '../config';
import { copyJournal } from '../store/sqlite/copy-journal';
import { CommandError } from './command-error';
import { describeFacts } from './describe-facts';
import { copyKey, keptKeys } from './kept-keys';
import { percentLines } from './percent-lines';

/**
 * `durable-journal backup <file>`: the journal as it is at this moment, in a new file, also while a
 * service writes to it; with it the keys that were made at random and lie beside the database.
 * @param say takes one line for the person who called it
 * @throws CommandError
 */
export async function backup(
	address: DatabaseAddress,
	file: string,
	say: (line: string) => void,
): Promise<void> {
	const target = resolve(file);
	if (address.kind === 'postgres') throw onPostgres(address.url, file);
	const source = address.file;
	if (!existsSync(source))
		throw new CommandError(`There is no journal at ${source}: set JOURNAL_DATABASE.`);
	const keys = keptKeys(source, target);
	const taken = [target, ...keys.map(({ to }) => to)].find((path) => existsSync(path));
	if (taken) throw new CommandError(`${taken} exists and is not overwritten: name another file.`);

	const copy = await copyJournal(source, target, percentLines('copied', say)).catch(
		(error: Error) => {
			throw new CommandError(`The backup failed: ${error.message}`, { cause: error });
		},
	);
	const written: string[] = [];
	try {
		for (const key of keys) {
			copyKey(key);
			written.push(key.to);
		}
		// Last, so that a backup that looks whole is whole.
		copy.publish();
	} catch (error) {
		for (const path of written) rmSync(path, { force: true });
		throw error;
	} finally {
		copy.discard();
	}
	say(`${target}: ${describeFacts(copy.facts)}, checked.`);
	for (const path of written) say(`${path}: made at random, so it is part of the backup.`);
	if (!keys.some(({ suffix }) => suffix === 'secret'))
		say(
			'Keep JOURNAL_SECRET with it, which is set in the environment: without it links that were sent and executions that wait are lost.',
		);
	say('It holds inputs, results and keys as they are: keep it as safe as the journal itself.');
}

function onPostgres(url: string, file: string): CommandError {
	const address = new URL(url);
	address.password = '';
	return new CommandError(
		`The journal is on PostgreSQL, which has its own way: pg_dump --format=custom --file='${file}' '${address.href}' (and back: pg_restore --clean --if-exists --dbname='${address.href}' '${file}' while no journal runs). Keep JOURNAL_SECRET with it.`,
	);
}
