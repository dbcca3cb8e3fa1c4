/** The server's time, known without asking: what it said last, plus what has passed since. */
export class ServerClock {
	#serverMs = 0;
	#monotonicMs = -Infinity;
	#wallMs = 0;

	/** Older than this, it is asked anew: clocks drift, and hosts sleep. */
	static readonly TRUSTED_FOR_MS = 5_000;

	/** @param serverMs what the server just said, milliseconds since the epoch */
	set(serverMs: number): void {
		this.#serverMs = serverMs;
		this.#monotonicMs = performance.now();
		this.#wallMs = Date.now();
	}

	now(): number {
		return Math.floor(this.#serverMs + this.#passedMs());
	}

	isStale(): boolean {
		return performance.now() - this.#monotonicMs > ServerClock.TRUSTED_FOR_MS || this.#slept();
	}

	#passedMs(): number {
		return performance.now() - this.#monotonicMs;
	}

	/** The monotonic clock stands still while the host sleeps, the wall clock does not. */
	#slept(): boolean {
		return Math.abs(Date.now() - this.#wallMs - this.#passedMs()) > 1_000;
	}
}
