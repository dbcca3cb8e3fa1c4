import type { Signals } from '../journal/signals';
import type { WorkerLog } from './worker-log';

/** A clock that is set, a host that slept, another process's write: none goes unseen for longer. */
const MAX_SLEEP_MS = 10_000;
const PAUSE_AFTER_ERROR_MS = 1_000;

export interface LoopOptions {
	/** Said in the log when the work fails. */
	readonly name: string;
	/** Does all that is due. @returns when more is due (milliseconds since the epoch), or undefined */
	readonly work: () => Promise<number | undefined>;
	readonly signals: Signals;
	/** The topic on which new work is signalled. */
	readonly topic: string;
	/** The clock, milliseconds since the epoch. */
	readonly now: () => number;
	readonly log: WorkerLog;
	readonly signal: AbortSignal;
}

/**
 * Works whenever something is due, and sleeps exactly until then: one sleep for all, however many
 * are waiting. A failure of the work is logged and does not end the loop.
 * @returns after the abort, when the current work is done
 */
export async function loop(options: LoopOptions): Promise<void> {
	const { signals, topic, now, signal } = options;
	const wake = () => signals.notifyHere(topic);
	signal.addEventListener('abort', wake);
	while (!signal.aborted) {
		// Subscribed before looking, so that a signal during the work is not lost.
		const subscription = signals.subscribe(topic);
		const sleepMs = await work(options);
		if (!signal.aborted) await subscription.until(sleepMs(now()));
		subscription.close();
	}
	signal.removeEventListener('abort', wake);
}

async function work(options: LoopOptions): Promise<(now: number) => number> {
	try {
		const dueAt = await options.work();
		return (now) => Math.max(0, Math.min((dueAt ?? Infinity) - now, MAX_SLEEP_MS));
	} catch (err) {
		options.log.error({ err, worker: options.name }, 'a worker failed; it goes on');
		return () => PAUSE_AFTER_ERROR_MS;
	}
}
