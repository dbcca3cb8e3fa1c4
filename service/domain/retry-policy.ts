/** The one place that says how long a failed attempt waits and when it is enough. */

export interface RetryLimits {
	readonly maxAttempts: number;
	/** From the first attempt that counts, milliseconds. */
	readonly maxElapsedMs: number;
}

export const DEFAULT_RETRY: RetryLimits = { maxAttempts: 5, maxElapsedMs: 86_400_000 };

const BASE_MS = 1_000;
const CAP_MS = 5 * 60_000;
/** A receiver may ask for longer than our own cap, but not for ever. */
const RETRY_AFTER_CAP_MS = 86_400_000;

/**
 * Exponential backoff with full jitter (https://aws.amazon.com/builders-library, "Timeouts,
 * retries, and backoff with jitter"), never earlier than the receiver asked for.
 * @param attempt the attempt that failed, from 1
 * @param random uniform in [0, 1)
 * @returns milliseconds to wait
 */
export function backoffMs(attempt: number, random: number, retryAfterMs?: number): number {
	const ceiling = Math.min(CAP_MS, BASE_MS * 2 ** Math.min(attempt - 1, 30));
	const own = Math.round(ceiling * random);
	return Math.max(own, Math.min(retryAfterMs ?? 0, RETRY_AFTER_CAP_MS));
}

/** When the next attempt may start, or undefined when attempts or time are used up. */
export function nextAttemptAt(
	limits: RetryLimits,
	attempt: number,
	startedAt: number,
	now: number,
	random: number,
	retryAfterMs?: number,
): number | undefined {
	if (attempt >= limits.maxAttempts) return undefined;
	const at = now + backoffMs(attempt, random, retryAfterMs);
	return at - startedAt > limits.maxElapsedMs ? undefined : at;
}
