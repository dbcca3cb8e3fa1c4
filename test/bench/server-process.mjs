import { spawn } from 'node:child_process';
import { createServer } from 'node:net';

/** A free port on loopback. */
export async function freePort() {
	const server = createServer();
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address();
	await new Promise((resolve) => server.close(resolve));
	return port;
}

/** Starts a Node.js program and waits until `ready()` says so. */
export async function startServer(script, args, env, ready) {
	const child = spawn(process.execPath, [script, ...args], {
		env: { ...process.env, ...env },
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	for (const end = Date.now() + 20_000; !(await ready().catch(() => false));) {
		if (child.exitCode !== null || Date.now() > end) throw new Error(`${script} did not start`);
		await new Promise((resolve) => setTimeout(resolve, 25));
	}
	return {
		stop: () =>
			new Promise((resolve) => {
				child.once('exit', resolve);
				child.kill('SIGTERM');
			}),
	};
}
