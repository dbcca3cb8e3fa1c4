/** Runs other programs and says that they are still running. */
import { spawn } from 'node:child_process';
import { Explained } from './explained.mjs';

const HEARTBEAT_MS = 15_000;

/**
 * Runs a program to its end with its output shown.
 * @param {string} title what is being done, for progress lines and failures
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, hint?: string, quiet?: boolean }} [options]
 *   hint: what to do when it fails; quiet: show the output only then
 */
export async function runCommand(title, command, args, { cwd, env, hint, quiet } = {}) {
	const started = Date.now();
	const seconds = () => Math.round((Date.now() - started) / 1000);
	console.log(`· ${title} …`);
	const heartbeat = setInterval(() => console.log(`  … ${title}: ${seconds()} s`), HEARTBEAT_MS);
	let kept = '';
	try {
		const code = await new Promise((resolve, reject) => {
			const child = spawn(command, args, {
				cwd,
				env: { ...process.env, ...env },
				stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
			});
			const keep = (chunk) => (kept = (kept + chunk).slice(-20_000));
			child.stdout?.on('data', keep);
			child.stderr?.on('data', keep);
			child.on('error', reject);
			child.on('close', (status, signal) => resolve(status ?? signal));
		});
		if (code !== 0) {
			if (kept) console.error(kept);
			throw new Explained(`Failed (${code}): ${title}.${hint ? ` ${hint}` : ''}`);
		}
		console.log(`✓ ${title} (${seconds()} s)`);
	} finally {
		clearInterval(heartbeat);
	}
	return kept;
}

/** The npm that started us, else the host's: `[command, leading arguments]` for spawn without a shell. */
export function npmCommand() {
	const cli = process.env.npm_execpath;
	if (cli && /npm-cli\.[cm]?js$/.test(cli)) return [process.execPath, [cli]];
	// On Windows npm is a .cmd file, which only a shell can start.
	return process.platform === 'win32' ? ['cmd.exe', ['/d', '/s', '/c', 'npm']] : ['npm', []];
}

export const runNpm = (title, args, options) => {
	const [command, leading] = npmCommand();
	return runCommand(title, command, [...leading, ...args], options);
};
