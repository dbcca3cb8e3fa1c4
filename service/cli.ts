/** The command `durable-journal`. */
import './node-version';
import { existsSync } from 'node:fs';
import { backup } from './commands/backup';
import { CommandError } from './commands/command-error';
import { restore } from './commands/restore';
import { parseCommand, USAGE, type Command } from './commands/usage';
import { ConfigError, readDatabaseAddress } from './config';
import { serve } from './main';
import { version } from './version';

const FAILED = 1;
const WRONG_USE = 2;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const complain = (line: string) => void process.stderr.write(`durable-journal: ${line}\n`);

async function run(command: Command): Promise<void> {
	switch (command.name) {
		case 'help':
			return say(USAGE);
		case 'version':
			return say(version);
		case 'serve':
			return await serve();
		case 'backup':
			return await backup(database(), command.file, say);
		case 'restore':
			return await restore(database(), command.file, command.force, say);
		case 'wrong':
			complain(command.problem);
			process.stderr.write(`${USAGE}\n`);
			process.exitCode = WRONG_USE;
	}
}

function database() {
	if (existsSync('.env')) process.loadEnvFile('.env');
	return readDatabaseAddress(process.env);
}

run(parseCommand(process.argv.slice(2))).catch((error: unknown) => {
	const lines = error instanceof ConfigError ? error.problems : [(error as Error).message];
	for (const line of lines) complain(line);
	// What is no refusal of ours is a fault, whose place is worth knowing.
	if (!(error instanceof ConfigError || error instanceof CommandError))
		complain(String((error as Error).stack));
	process.exitCode = FAILED;
});
