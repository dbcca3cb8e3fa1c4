import { setTimeout as pause } from 'node:timers/promises';

/**
 * Asks until the answer is truthy, and returns it.
 * @param what said in the failure, e.g. "execution 7 to wait"
 * @param ask may throw: that counts as "not yet", and its last reason is part of the failure
 */
export async function waitUntil<T>(
	what: string,
	ask: () => T | Promise<T>,
	{ timeoutMs = 20_000, everyMs = 50 } = {},
): Promise<NonNullable<T>> {
	const end = Date.now() + timeoutMs;
	let reason: unknown;
	for (;;) {
		try {
			const answer = await ask();
			if (answer) return answer;
			reason = answer;
		} catch (error) {
			reason = error;
		}
		if (Date.now() > end)
			throw new Error(`Waited ${timeoutMs} ms for ${what}; last: ${String(reason)}`, {
				cause: reason,
			});
		await pause(everyMs);
	}
}
