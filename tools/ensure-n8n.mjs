/** Installs the pinned n8n into a folder of its own, once. Native parts are built for this machine. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeEnvironment } from './node-runtime.mjs';
import { n8nFolder, ROOT } from './paths.mjs';
import { npmCommand, runNpm } from './run-command.mjs';

const PINNED = join(ROOT, 'tools', 'n8n');
const PLATFORM = `${process.platform}-${process.arch}`;
const PNPM = ['exec', '--yes', '--', 'pnpm@10'];

export const n8nVersion = () =>
	JSON.parse(readFileSync(join(PINNED, 'package.json'), 'utf8')).dependencies.n8n;

/** True when this folder holds the pinned n8n, whole, for this platform. */
function present(folder) {
	const manifest = join(folder, 'node_modules', 'n8n', 'package.json');
	if (!existsSync(manifest)) return false;
	if (JSON.parse(readFileSync(manifest, 'utf8')).version !== n8nVersion()) return false;
	const stamp = join(folder, '.platform');
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') !== PLATFORM) return false;
	// Built last: where it exists, everything else does.
	const store = join(folder, 'node_modules', '.pnpm', 'sqlite3@5.1.7', 'node_modules', 'sqlite3');
	return existsSync(join(store, 'build', 'Release', 'node_sqlite3.node'));
}

/** Where the headers of Node.js lie, if the host says so; else node-gyp downloads them. */
function nodeHeaders() {
	if (process.env.npm_config_nodedir) return {};
	const [command, leading] = npmCommand();
	const answer = spawnSync(command, [...leading, 'config', 'get', 'nodedir'], { encoding: 'utf8' });
	const folder = answer.stdout?.trim();
	return folder && existsSync(folder) ? { npm_config_nodedir: folder } : {};
}

export async function ensureN8n() {
	const folder = n8nFolder();
	if (present(folder)) return;
	mkdirSync(folder, { recursive: true });
	for (const name of ['package.json', 'pnpm-lock.yaml'])
		copyFileSync(join(PINNED, name), join(folder, name));
	const env = { ...nodeEnvironment(), CI: 'true' };
	await runNpm(
		`Installing n8n ${n8nVersion()} (once, 1.9 GB, about a minute)`,
		// Everything but sqlite3 works without install scripts, and some of those scripts fail.
		[...PNPM, 'install', '--frozen-lockfile', '--ignore-scripts', '--reporter=append-only'],
		{ cwd: folder, env, hint: 'Is the network reachable, and is there 2 GB of free disk?' },
	);
	await runNpm(
		"Building n8n's SQLite (once, one to two minutes)",
		[...PNPM, 'rebuild', 'sqlite3'],
		{
			cwd: folder,
			env: { ...env, ...nodeHeaders() },
			// Hundreds of compiler warnings that mean nothing here.
			quiet: true,
			hint:
				'It is compiled here when no ready binary can be downloaded: python3, make and g++ are needed ' +
				'(Debian: apt-get install python3 make g++; macOS: xcode-select --install).',
		},
	);
	writeFileSync(join(folder, '.platform'), PLATFORM);
}
