import { fork } from 'node:child_process';
import { end } from './server-process.mjs';

/**
 * Starts a script that does its work in its own process and measures it there (answer-requests.mjs).
 * `ask(request)` gives its answer.
 */
export async function startMeasuringProcess(script, args) {
	const child = fork(script, args, {
		execArgv: ['--no-deprecation'],
		stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
	});
	const answer = () =>
		new Promise((resolve, reject) => {
			const failed = (code) => reject(new Error(`${script} ended (${code})`));
			child.once('exit', failed);
			child.once('message', (message) => {
				child.removeListener('exit', failed);
				resolve(message);
			});
		});
	const ready = await answer();
	return {
		ready,
		ask(request) {
			const answered = answer();
			child.send(request);
			return answered;
		},
		stop: () => end(child),
	};
}
