/** Wakes waiters after a commit. Losing a signal loses time, never truth. */
export class Signals {
	readonly #waiters = new Map<string, Set<() => void>>();

	#relay: (topic: string) => void = () => {};
	#ended = false;

	/** Where each signal also goes: to the other processes that share the store. */
	relayTo(relay: (topic: string) => void): void {
		this.#relay = relay;
	}

	/** Wakes everybody who waits for `topic` now, in every process. */
	notify(topic: string): void {
		this.notifyHere(topic);
		this.#relay(topic);
	}

	/** Whether the process stops: nobody waits for anything any more. */
	get ended(): boolean {
		return this.#ended;
	}

	/** Wakes everybody, and lets nobody wait again. */
	end(): void {
		this.#ended = true;
		this.notifyAllHere();
	}

	/** Wakes whoever waits for anything. */
	notifyAllHere(): void {
		for (const topic of [...this.#waiters.keys()]) this.notifyHere(topic);
	}

	/** Wakes everybody in this process who waits for `topic`. */
	notifyHere(topic: string): void {
		const waiters = this.#waiters.get(topic);
		this.#waiters.delete(topic);
		waiters?.forEach((wake) => wake());
	}

	/**
	 * Begins to listen at once; `until` resolves at the next signal on any of the topics or after
	 * `ms`, whichever is first, with the milliseconds it took. Subscribe before looking at the state
	 * that the signals are about.
	 */
	subscribe(...topics: string[]): { until: (ms: number) => Promise<number>; close: () => void } {
		let wake = () => {};
		const signalled = new Promise<void>((resolve) => (wake = resolve));
		for (const topic of topics)
			this.#waiters.set(topic, (this.#waiters.get(topic) ?? new Set()).add(wake));
		const close = () => {
			for (const topic of topics) {
				const waiters = this.#waiters.get(topic);
				if (waiters?.delete(wake) && waiters.size === 0) this.#waiters.delete(topic);
			}
		};
		const until = async (ms: number) => {
			if (this.#ended) return 0;
			const begun = performance.now();
			let timer: NodeJS.Timeout | undefined;
			const timeUp = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
			await Promise.race([signalled, timeUp]);
			clearTimeout(timer);
			return performance.now() - begun;
		};
		return { until, close };
	}
}
