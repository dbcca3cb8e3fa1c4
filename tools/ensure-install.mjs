/** Installs the packages of package-lock.json, only when something is missing. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';
import { runNpm } from './run-command.mjs';

const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;

const fits = (declared, here) => {
	if (!declared) return true;
	const names = [declared].flat();
	if (names.includes(`!${here}`)) return false;
	return names.includes(here) || names.every((name) => name.startsWith('!'));
};

/**
 * True when node_modules holds what the lock file says, for this platform. npm writes the list of
 * what it installed as its very last act, so an interrupted installation is never taken for a whole one.
 */
export function installed(root = ROOT) {
	const written = join(root, 'node_modules', '.package-lock.json');
	if (!existsSync(written)) return false;
	const wanted = packagesOf(join(root, 'package-lock.json'));
	const present = packagesOf(written);
	const complete = Object.entries(wanted).every(
		([path, { version, optional, devOptional, peer, link }]) =>
			!path.includes('node_modules/') ||
			link ||
			optional ||
			devOptional ||
			peer ||
			present[path]?.version === version,
	);
	const native = Object.values(present).every(
		({ os, cpu }) => fits(os, process.platform) && fits(cpu, process.arch),
	);
	return complete && native;
}

export async function ensureInstall() {
	if (installed()) return;
	await runNpm('Installing packages (once, about a minute)', ['ci', '--no-progress'], {
		cwd: ROOT,
		hint: 'Is the network reachable?',
	});
}
