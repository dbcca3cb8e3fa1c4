/** When a wake-up is tried again, and when it is over. Pure. */

/**
 * What n8n answered.
 * - `resumed`: it took the wake-up.
 * - `later`: running, busy, failing or unreachable: it may take it another time.
 * - `missing`: no execution waits behind this URL.
 */
export type WakeReply = 'resumed' | 'later' | 'missing';

export interface WakeFacts {
	/** Attempts made, this one included. */
	readonly attempts: number;
	/** When the gate was settled, or the waiter was added to a settled gate. */
	readonly pendingSince: number;
	/** Since when every answer was `missing`. */
	readonly missingSince: number | null;
	/** The open that added this waiter was itself answered with the final state. */
	readonly toldAtOpen: boolean;
}

export type WakeOutcome =
	| { readonly state: 'done' | 'gone' }
	| {
			readonly state: 'pending';
			readonly nextAttemptAt: number;
			readonly missingSince: number | null;
	  };

const FIRST_DELAY_MS = 200;
const CAP_MS = 30_000;
/** n8n answers 404 for a moment while it starts, and a restored database may bring a row back. */
const MISSING_MS = 10 * 60_000;
const GIVE_UP_MS = 30 * 86_400_000;

/**
 * What an answer makes of a wake-up.
 * @param random uniform in [0, 1)
 */
export function judgeWakeUp(
	reply: WakeReply,
	facts: WakeFacts,
	now: number,
	random: number,
): WakeOutcome {
	if (reply === 'resumed') return { state: 'done' };
	const missingSince = reply === 'missing' ? (facts.missingSince ?? now) : null;
	if (missingSince !== null) {
		// It went on with the decision in hand and ended: nobody is left who needs waking.
		if (facts.toldAtOpen) return { state: 'done' };
		if (now - missingSince >= MISSING_MS) return { state: 'gone' };
	}
	if (now - facts.pendingSince >= GIVE_UP_MS) return { state: 'gone' };
	return {
		state: 'pending',
		nextAttemptAt: now + wakeDelayMs(facts.attempts, random),
		missingSince,
	};
}

/** Doubles from 0.2 s up to 30 s; the upper half is random, so that many do not come at once. */
export function wakeDelayMs(attempts: number, random: number): number {
	const ceiling = Math.min(CAP_MS, FIRST_DELAY_MS * 2 ** Math.min(attempts - 1, 20));
	return Math.round(ceiling * (0.5 + random / 2));
}
