/** The rules of a step: who may execute it now, and what a report about it changes. Pure. */
import type { OnInDoubt, SettledBy, StepState, Verdict } from '../contract/steps';
import { nextAttemptAt, type RetryLimits } from './retry-policy';

/** Receivers forget idempotency keys; Stripe after 24 h at the earliest. */
export const DEFAULT_RECEIVER_WINDOW_MS = 86_400_000;
export const DEFAULT_LEASE_MS = 60_000;
/** A receiver that was asked a moment ago may not have got to it yet. */
export const DEFAULT_LOOK_AFTER_MS = 5_000;

/** What the rules need to know of a stored step. Instants in milliseconds since the epoch. */
export interface StepFacts {
	readonly state: StepState;
	readonly attempt: number;
	readonly fencingToken: number;
	readonly claimId: string | undefined;
	readonly firstClaimedAt: number;
	/** Attempts before the ones that the retry limits count. */
	readonly budgetAttempt: number;
	/** From when the retry limits count. */
	readonly budgetStartedAt: number;
	readonly leaseExpiresAt: number;
	readonly nextAttemptAt: number | undefined;
	readonly settledAt: number | undefined;
	readonly settledBy: SettledBy | undefined;
	/** n8n's execution that made the last attempt. */
	readonly executionId: string | undefined;
	/** The newest look, if there was any. Tokens of looks and of attempts are one growing row. */
	readonly lookToken: number | undefined;
	/** Until when that look holds; undefined once it has reported, or something else came of the step. */
	readonly lookUntil: number | undefined;
	readonly lookClaimId: string | undefined;
}

export interface ClaimTerms {
	readonly claimId: string | undefined;
	readonly executionId: string | undefined;
	readonly onInDoubt: OnInDoubt;
	readonly receiverWindowMs: number;
	readonly lookAfterMs: number;
}

export type ClaimVerdict =
	| { readonly kind: 'execute' }
	| { readonly kind: 'again' }
	| { readonly kind: 'replay' }
	| { readonly kind: 'failed' }
	| { readonly kind: 'in_progress' }
	| { readonly kind: 'in_doubt'; readonly ask: boolean; readonly lookAt?: number }
	| { readonly kind: 'look'; readonly token: number }
	| { readonly kind: 'being_looked_at'; readonly until: number }
	| { readonly kind: 'waiting_retry' };

/** A claim whose lease ran out is in doubt, whether or not the timer has said so yet. */
export function effectiveState(step: StepFacts, now: number): StepState {
	return step.state === 'claimed' && step.leaseExpiresAt <= now ? 'in_doubt' : step.state;
}

/**
 * What a claim of a known step gets.
 * - `again`: the caller lost the answer to this very claim; it gets it again, under the same token
 *   and with the whole lease from now. Also when the lease ran out meanwhile, unless a newer claim
 *   took over, a person settled it, or its holder reported: a claimId is random per call and kept
 *   over transport retries only, so whoever repeats it has not begun, and doubt would be false. The
 *   effect cannot double, since the one caller that knows the claimId takes one answer; of a repeat
 *   that the network delivers late the answer goes nowhere, and it only puts the doubt off. A caller
 *   that kept its claimId over a crash of its own would be told to execute what it has begun: that
 *   is why the contract says random per call.
 * - `failed`: stored for the execution that met it; another execution gets a new attempt, since a
 *   person who retries has usually repaired something. Where a person said that it failed, it has for
 *   everybody, until a person says otherwise: the executions that asked are others than the one that
 *   met the doubt, and would execute what was just stopped.
 */
export function judgeClaim(step: StepFacts, terms: ClaimTerms, now: number): ClaimVerdict {
	const state = effectiveState(step, now);
	const sameClaim = terms.claimId !== undefined && terms.claimId === step.claimId;
	switch (state) {
		case 'completed':
			return { kind: 'replay' };
		case 'claimed':
			return sameClaim ? { kind: 'again' } : { kind: 'in_progress' };
		case 'in_doubt': {
			if (sameClaim && step.settledBy !== 'holder') return { kind: 'again' };
			const withinWindow = now - step.firstClaimedAt < terms.receiverWindowMs;
			if (terms.onInDoubt === 'retry' && withinWindow) return { kind: 'execute' };
			if (terms.onInDoubt === 'verify') return judgeLook(step, terms, now);
			return { kind: 'in_doubt', ask: terms.onInDoubt === 'ask' };
		}
		case 'waiting_retry':
			return (step.nextAttemptAt ?? 0) <= now ? { kind: 'execute' } : { kind: 'waiting_retry' };
		case 'failed': {
			if (step.settledBy === 'person') return { kind: 'failed' };
			const sameExecution =
				terms.executionId === undefined || terms.executionId === step.executionId;
			return sameExecution ? { kind: 'failed' } : { kind: 'execute' };
		}
	}
}

/**
 * Whether the caller may look into the other system now. One at a time, and not at once: what was
 * sent a moment ago may still have its effect, and a look that comes too early finds nothing.
 */
function judgeLook(step: StepFacts, terms: ClaimTerms, now: number): ClaimVerdict {
	if (step.lookUntil !== undefined && step.lookUntil > now) {
		const lostAnswer = terms.claimId !== undefined && terms.claimId === step.lookClaimId;
		return lostAnswer
			? { kind: 'look', token: step.lookToken! }
			: { kind: 'being_looked_at', until: step.lookUntil };
	}
	const lookAt = doubtSince(step) + terms.lookAfterMs;
	if (now < lookAt) return { kind: 'in_doubt', ask: false, lookAt };
	return { kind: 'look', token: newestToken(step) + 1 };
}

/** When the attempt ended without anybody knowing how; the clock's doubt is as old as the lease's end. */
function doubtSince({ state, settledAt, leaseExpiresAt, settledBy }: StepFacts): number {
	if (state !== 'in_doubt' || settledAt === undefined) return leaseExpiresAt;
	return settledBy === 'clock' ? Math.min(settledAt, leaseExpiresAt) : settledAt;
}

/** The highest token that anybody was given, for an attempt or a look. */
export function newestToken({ fencingToken, lookToken }: StepFacts): number {
	return Math.max(fencingToken, lookToken ?? 0);
}

/**
 * Who reports with `token`, if that may still change anything.
 * - `attempt`: the newest attempt, while nobody settled the step. A complete that comes late is the
 *   truth about the effect, so it is taken from `in_doubt`, and also after a person or a look allowed
 *   another attempt that nobody has begun. A look does not fence the attempt off: it only looks.
 * - `look`: the newest look, while the step is in doubt and nothing came of it since. The attempt's
 *   own report, a person's answer and another attempt all end a look: what it saw is out of date.
 */
export function reporter(step: StepFacts, token: number): 'attempt' | 'look' | undefined {
	const { state, settledBy } = step;
	if (token === step.fencingToken) {
		const open = state === 'claimed' || state === 'in_doubt';
		const allowed = state === 'waiting_retry' && (settledBy === 'person' || settledBy === 'look');
		return open || allowed ? 'attempt' : undefined;
	}
	const looking = state === 'in_doubt' && step.lookUntil !== undefined;
	return looking && token === step.lookToken ? 'look' : undefined;
}

export type FailureOutcome =
	/** `exhausted`: trying again might have helped, but attempts or time are used up. */
	| { readonly state: 'failed'; readonly exhausted: boolean }
	| { readonly state: 'in_doubt' }
	| { readonly state: 'waiting_retry'; readonly nextAttemptAt: number };

/** What a reported failure makes of the step. */
export function judgeFailure(
	step: StepFacts,
	limits: RetryLimits,
	verdict: Verdict,
	now: number,
	random: number,
	retryAfterMs?: number,
): FailureOutcome {
	if (verdict === 'terminal') return { state: 'failed', exhausted: false };
	if (verdict === 'in_doubt') return { state: 'in_doubt' };
	const used = step.attempt - step.budgetAttempt;
	const next = nextAttemptAt(limits, used, step.budgetStartedAt, now, random, retryAfterMs);
	return next === undefined
		? { state: 'failed', exhausted: true }
		: { state: 'waiting_retry', nextAttemptAt: next };
}

/**
 * Whether an attempt after this state begins with fresh retry limits: where a person let the step go
 * on, or another execution takes up a failed one. A day-old budget would make its first stumble final.
 */
export function beginsAnew(step: StepFacts): boolean {
	return step.state === 'failed' || step.settledBy === 'person';
}

/** Only what has no live attempt and no final result can be settled by a person. */
export function mayResolve(step: StepFacts, now: number): boolean {
	return ['in_doubt', 'failed', 'waiting_retry'].includes(effectiveState(step, now));
}
