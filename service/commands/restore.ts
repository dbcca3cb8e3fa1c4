import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DatabaseAddress } from '../config';
import { copyJournal } from '../store/sqlite/copy-journal';
import { isInUse } from '../store/sqlite/is-in-use';
import { CommandError } from './command-error';
import { describeFacts } from './describe-facts';
import { copyKey, isThere, keptKeys } from './kept-keys';
import { percentLines } from './percent-lines';

/**
 * `durable-journal restore <file>`: puts a backup in the place of the journal, which must not run.
 * @param force keeps what is in its place under another name, instead of refusing
 * @param say takes one line for the person who called it
 * @throws CommandError; nothing is moved then unless it says so
 */
export async function restore(
	address: DatabaseAddress,
	file: string,
	force: boolean,
	say: (line: string) => void,
): Promise<void> {
	if (address.kind === 'postgres')
		throw new CommandError(
			'The journal is on PostgreSQL: use pg_restore on what pg_dump wrote, while no journal runs.',
		);
	const source = resolve(file);
	const target = address.file;
	if (!existsSync(source)) throw new CommandError(`There is no file ${source}.`);
	if (source === target) throw new CommandError(`${source} is the journal itself.`);
	refuseRunning(target);
	const keys = keptKeys(source, target).filter((key) => !isThere(key));
	const inTheWay = [target, `${target}-wal`, `${target}-shm`, ...keys.map(({ to }) => to)].filter(
		(path) => existsSync(path),
	);
	if (inTheWay.length > 0 && !force)
		throw new CommandError(
			`${inTheWay[0]} exists: --force keeps it under another name and puts the backup in its place.`,
		);

	mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
	const copy = await copyJournal(source, target, percentLines('copied', say)).catch(
		(error: Error) => {
			throw new CommandError(`Nothing was restored: ${error.message}`, { cause: error });
		},
	);
	try {
		// Copying may have taken minutes.
		refuseRunning(target);
		const aside = `before-restore-${new Date().toISOString().replace(/[-:.]/g, '')}`;
		for (const path of inTheWay.filter((name) => existsSync(name))) {
			const kept = path.startsWith(`${target}-`)
				? `${target}.${aside}${path.slice(target.length)}`
				: `${path}.${aside}`;
			renameSync(path, kept);
			say(`${path} is kept as ${kept}`);
		}
		keys.forEach(copyKey);
		copy.publish();
	} finally {
		copy.discard();
	}
	say(`${target}: ${describeFacts(copy.facts)}, restored.`);
	say(
		'What was journaled after that is not in it: a step that was completed since then would be executed again. Settle in the other systems what that means before n8n goes on.',
	);
}

function refuseRunning(target: string): void {
	if (existsSync(target) && isInUse(target))
		throw new CommandError(`A journal runs on ${target}: stop it first.`);
}
