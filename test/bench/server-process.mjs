import { spawn } from 'node:child_process';
import { createServer } from 'node:net';

const START_MS = 60_000;

/** A free port on loopback. */
export async function freePort() {
	const server = createServer();
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address();
	await new Promise((resolve) => server.close(resolve));
	return port;
}

/** Ends a process that this bench started, and waits for it. */
export async function end(child) {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const gone = new Promise((resolve) => child.once('exit', resolve));
	child.kill('SIGTERM');
	await gone;
}

/**
 * Starts a program and waits until `ready()` says so.
 * @param {{ env?: object, cwd?: string, quiet?: boolean }} options quiet: what it writes to stderr is dropped too
 * @returns its `stop()`
 */
export async function startProgram(program, args, ready, { env, cwd, quiet } = {}) {
	const child = spawn(program, args, {
		cwd,
		env: { ...process.env, ...env },
		stdio: ['ignore', 'ignore', quiet ? 'ignore' : 'inherit'],
	});
	const failed = new Promise((resolve) => child.once('error', resolve));
	for (const limit = Date.now() + START_MS; !(await ready().catch(() => false));) {
		const error = await Promise.race([failed, new Promise((resolve) => setTimeout(resolve, 25))]);
		if (error || child.exitCode !== null || Date.now() > limit) {
			child.kill('SIGKILL');
			throw error ?? new Error(`${[program, ...args].join(' ')} did not start`);
		}
	}
	return { stop: () => end(child) };
}

/** The same for a Node.js script, under this Node.js. */
export const startScript = (script, args, ready, options) =>
	startProgram(process.execPath, [script, ...args], ready, options);
