import { sleep } from 'n8n-workflow';
import type { Held } from './settle-step';
import type { JournalClient } from './journal-client';

/** How often the loop looks whether the action has ended, in ms. */
const TICK_MS = 250;
/** What the journal gives where none is asked for. */
const DEFAULT_LEASE_MS = 60_000;

/**
 * Renews the lease while an action runs in this process, at a third of its length, so that a long
 * action is not taken for a dead one.
 */
export async function keepLease<T>(
	client: JournalClient,
	held: Held,
	leaseMs: number | undefined,
	action: Promise<T>,
): Promise<T> {
	const length = leaseMs ?? DEFAULT_LEASE_MS;
	let running = true;
	const renewing = (async () => {
		let renewAt = Date.now() + length / 3;
		while (running) {
			await sleep(Math.min(TICK_MS, length / 3));
			if (!running || Date.now() < renewAt) continue;
			try {
				await client.renew(held.key, { fencingToken: held.fencingToken, leaseMs: length });
			} catch {
				// Completing decides whether the claim still stands; a lease that cannot be renewed must
				// not break an action that may already have had its effect.
				return;
			}
			renewAt = Date.now() + length / 3;
		}
	})();
	try {
		return await action;
	} finally {
		running = false;
		void renewing;
	}
}
