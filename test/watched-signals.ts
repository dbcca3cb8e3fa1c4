import { Signals } from '../service/journal/signals';
import { waitUntil } from './wait-until';

/** Signals that tell who sleeps, so that a test can act when they do. */
export class WatchedSignals extends Signals {
	/** How many sleep now. */
	asleep = 0;
	/** How often somebody went to sleep. */
	sleeps = 0;

	override subscribe(...topics: string[]): ReturnType<Signals['subscribe']> {
		const subscription = super.subscribe(...topics);
		const until = async (ms: number) => {
			this.asleep++;
			this.sleeps++;
			return await subscription.until(ms).finally(() => this.asleep--);
		};
		return { ...subscription, until };
	}

	async untilAsleep(count: number): Promise<void> {
		await waitUntil(`${count} to sleep`, () => this.asleep === count, { everyMs: 1 });
	}

	/** Counted from the beginning: those who were woken and sleep again count twice. */
	async untilSlept(times: number): Promise<void> {
		await waitUntil(`${times} sleeps`, () => this.sleeps >= times, { everyMs: 1 });
	}
}
