import { spawn, type ChildProcess } from 'node:child_process';

/** What was started and not stopped, so that nothing outlives the test run. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
	for (const child of running) killGroup(child, 'SIGKILL');
});

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
	try {
		process.kill(-child.pid!, signal);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}

export interface RunningProcess {
	readonly pid: number;
	/** Everything it wrote so far, both streams. */
	log(): string;
	/** The exit code or signal once it ended, else undefined. */
	ended(): number | string | undefined;
	/** Sends the signal to it and to all it started; returns when it is gone. */
	kill(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a program as leader of its own process group, so that a kill reaches its children too. */
export function startProcess(
	command: string,
	args: string[],
	options: { env: NodeJS.ProcessEnv; cwd?: string },
): RunningProcess {
	const child = spawn(command, args, {
		...options,
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	running.add(child);
	let log = '';
	let ended: number | string | undefined;
	const gone = new Promise<void>((resolve) => {
		child.on('error', (error) => {
			log += String(error);
			ended = 'error';
			resolve();
		});
		child.on('close', (code, signal) => {
			running.delete(child);
			ended = code ?? signal ?? 'unknown';
			resolve();
		});
	});
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding('utf8').on('data', (text: string) => (log += text));
	return {
		pid: child.pid!,
		log: () => log,
		ended: () => ended,
		async kill(signal = 'SIGKILL') {
			if (ended === undefined) killGroup(child, signal);
			await gone;
		},
	};
}
