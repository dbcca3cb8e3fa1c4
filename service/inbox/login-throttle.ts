const WINDOW_MS = 60_000;
const MAX_FAILURES = 20;

/** Slows down guessing of the admin key: after twenty wrong ones a minute nobody can try for its rest. */
export class LoginThrottle {
	#windowStart = 0;
	#failures = 0;

	/** @param now milliseconds since the epoch */
	isClosed(now: number): boolean {
		return now - this.#windowStart < WINDOW_MS && this.#failures >= MAX_FAILURES;
	}

	countFailure(now: number): void {
		if (now - this.#windowStart >= WINDOW_MS) {
			this.#windowStart = now;
			this.#failures = 0;
		}
		this.#failures++;
	}
}
