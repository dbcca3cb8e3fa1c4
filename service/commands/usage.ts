import { parseArgs } from 'node:util';

export const USAGE = `Usage: durable-journal [command]

  serve                     start the journal (also without a command)
  backup <file>             copy the journal into a new file, also while it runs
  restore <file> [--force]  put a backup in the place of the journal, which must not run;
                            --force keeps a journal that is there under another name
  --help, --version

Configured by the environment and a .env file in the working folder; JOURNAL_DATABASE says which journal.
Exit codes: 0 done, 1 failed, 2 wrong use.`;

export type Command =
	| { readonly name: 'serve' | 'help' | 'version' }
	| { readonly name: 'backup'; readonly file: string }
	| { readonly name: 'restore'; readonly file: string; readonly force: boolean }
	| { readonly name: 'wrong'; readonly problem: string };

/** What the command line asks for. */
export function parseCommand(args: string[]): Command {
	try {
		return commandOf(args);
	} catch (error) {
		return wrong((error as Error).message);
	}
}

function commandOf(args: string[]): Command {
	const { values, positionals } = parseArgs({
		args,
		allowPositionals: true,
		options: {
			help: { type: 'boolean', short: 'h' },
			version: { type: 'boolean' },
			force: { type: 'boolean' },
		},
	});
	if (values.help) return { name: 'help' };
	if (values.version) return { name: 'version' };
	const [name = 'serve', file, ...rest] = positionals;
	const force = values.force === true;
	if (force && name !== 'restore') return wrong('--force belongs to restore.');
	switch (name) {
		case 'serve':
			return file === undefined ? { name } : wrong('serve takes no arguments.');
		case 'backup':
		case 'restore':
			if (file === undefined || rest.length > 0) return wrong(`${name} takes one file.`);
			return name === 'backup' ? { name, file } : { name, file, force };
		default:
			return wrong(`There is no command "${name}".`);
	}
}

function wrong(problem: string): Command {
	return { name: 'wrong', problem };
}
