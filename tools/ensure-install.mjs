/** Installs the packages of package-lock.json, only when something is missing. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';
import { runNpm } from './run-command.mjs';

/** `os` or `cpu` of a package against this machine: a list of names, or of exclusions. */
const fits = (declared, here) => {
	if (!declared) return true;
	const names = [declared].flat();
	if (names.includes(`!${here}`)) return false;
	return names.includes(here) || names.every((name) => name.startsWith('!'));
};

/** npm install writes both lists at about the same time, in either order. */
const SAME_WRITE_MS = 10_000;

/**
 * True when node_modules was installed after package-lock.json last changed, and for this platform. npm
 * writes the list of what it installed as its last act, so an interrupted installation does not count.
 */
export function installed(root = ROOT) {
	const written = join(root, 'node_modules', '.package-lock.json');
	if (!existsSync(written)) return false;
	const age = statSync(join(root, 'package-lock.json')).mtimeMs - statSync(written).mtimeMs;
	return (
		age < SAME_WRITE_MS &&
		Object.values(JSON.parse(readFileSync(written, 'utf8')).packages).every(
			({ os, cpu }) => fits(os, process.platform) && fits(cpu, process.arch),
		)
	);
}

export async function ensureInstall() {
	if (installed()) return;
	await runNpm(
		'Installing packages (once, about a minute)',
		['ci', '--no-progress', '--loglevel=error'],
		{
			cwd: ROOT,
			hint: 'Is the network reachable?',
		},
	);
}
