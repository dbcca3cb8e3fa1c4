/** A few long-running programs that live and die together. */
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Explained } from './explained.mjs';

const GRACE_MS = 10_000;
const LINES_SHOWN = 25;
const POSIX = process.platform !== 'win32';

export function createServices() {
	/** @type {Map<string, import('node:child_process').ChildProcess>} */
	const running = new Map();
	let stopping;
	let fail;
	/** Rejects with a sentence when one of them ends by itself. */
	const ended = new Promise((_resolve, reject) => (fail = reject));
	// Looked at only after everything is started; until then a failure must not count as unhandled.
	ended.catch(() => undefined);

	const signal = (child, name) => {
		try {
			// Each leads a process group of its own: what it started goes with it.
			if (POSIX) process.kill(-child.pid, name);
			else child.kill(name);
		} catch (error) {
			if (error.code !== 'ESRCH') throw error;
		}
	};

	return {
		ended,

		/** Starts a program under Node.js; its output goes to a file. */
		start(name, command, args, { cwd, env, logFile }) {
			mkdirSync(dirname(logFile), { recursive: true });
			const log = createWriteStream(logFile);
			const last = [];
			// Its own group also keeps the terminal's Ctrl-C from reaching it before we stop it in order.
			const child = spawn(command, args, {
				cwd,
				env: { ...process.env, ...env },
				detached: POSIX,
				stdio: ['ignore', 'pipe', 'pipe'],
			});
			running.set(name, child);
			for (const stream of [child.stdout, child.stderr])
				stream.setEncoding('utf8').on('data', (text) => {
					log.write(text);
					last.push(...text.split('\n').filter(Boolean));
					last.splice(0, last.length - LINES_SHOWN);
				});
			child.on('error', (error) => fail(new Explained(`${name} cannot be started: ${error.code}`)));
			child.on('close', (code, by) => {
				running.delete(name);
				log.end();
				if (!stopping)
					fail(
						new Explained(
							`${name} ended (${code ?? by}). Its last lines:\n${last.join('\n')}\nAll of them: ${logFile}`,
						),
					);
			});
		},

		/** Waits until `ask` answers true, as long as everything lives. */
		async ready(name, ask, timeoutMs) {
			const end = Date.now() + timeoutMs;
			const waiting = (async () => {
				while (Date.now() < end) {
					if (await ask().catch(() => false)) return;
					await pause(150);
				}
				throw new Explained(`${name} is not ready after ${timeoutMs / 1000} s.`);
			})();
			await Promise.race([waiting, ended]);
		},

		/** Ends all of them: politely, and after ten seconds for certain. */
		stop() {
			stopping ??= (async () => {
				for (const child of running.values()) signal(child, 'SIGTERM');
				const end = Date.now() + GRACE_MS;
				while (running.size > 0 && Date.now() < end) await pause(50);
				for (const child of running.values()) signal(child, 'SIGKILL');
				while (running.size > 0) await pause(50);
			})();
			return stopping;
		},
	};
}
