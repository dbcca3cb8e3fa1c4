import fc from 'fast-check';
import {
	beginsAnew,
	effectiveState,
	judgeClaim,
	judgeFailure,
	mayResolve,
	newestToken,
	reporter,
	type ClaimTerms,
	type StepFacts,
} from '../../../service/domain/step';

const NOW = 1_000_000;
const step = (facts: Partial<StepFacts>): StepFacts => ({
	state: 'claimed',
	attempt: 1,
	fencingToken: 1,
	claimId: 'c1',
	firstClaimedAt: NOW - 10_000,
	budgetAttempt: 0,
	budgetStartedAt: NOW - 10_000,
	leaseExpiresAt: NOW + 10_000,
	nextAttemptAt: undefined,
	settledAt: undefined,
	settledBy: undefined,
	executionId: '7',
	lookToken: undefined,
	lookUntil: undefined,
	lookClaimId: undefined,
	...facts,
});
const terms = (some: Partial<ClaimTerms> = {}): ClaimTerms => ({
	claimId: 'c2',
	executionId: '7',
	onInDoubt: 'fail',
	receiverWindowMs: 86_400_000,
	lookAfterMs: 5_000,
	...some,
});
const expired = { leaseExpiresAt: NOW } as const;

describe('a claim of a known step', () => {
	test.each([
		['live: another caller executes', step({}), terms(), 'in_progress'],
		['live: the answer was lost', step({}), terms({ claimId: 'c1' }), 'again'],
		['lease over: in doubt, never executed again', step(expired), terms(), 'in_doubt'],
		['lease over, the answer was lost', step(expired), terms({ claimId: 'c1' }), 'again'],
		['in doubt, receiver honours the key', step(expired), terms({ onInDoubt: 'retry' }), 'execute'],
		[
			'in doubt, the receiver has forgotten the key',
			step(expired),
			terms({ onInDoubt: 'retry', receiverWindowMs: 10_000 }),
			'in_doubt',
		],
		[
			'in doubt by the holder: its own claim is no excuse',
			step({ state: 'in_doubt', settledBy: 'holder' }),
			terms({ claimId: 'c1' }),
			'in_doubt',
		],
		['completed', step({ state: 'completed' }), terms({ onInDoubt: 'retry' }), 'replay'],
		['failed, same execution', step({ state: 'failed' }), terms(), 'failed'],
		[
			'failed, nobody says which execution',
			step({ state: 'failed' }),
			terms({ executionId: undefined }),
			'failed',
		],
		[
			'failed, another execution',
			step({ state: 'failed' }),
			terms({ executionId: '8' }),
			'execute',
		],
		[
			'failed by a person: for every execution',
			step({ state: 'failed', settledBy: 'person' }),
			terms({ executionId: '8' }),
			'failed',
		],
		[
			'waiting, too early',
			step({ state: 'waiting_retry', nextAttemptAt: NOW + 1 }),
			terms(),
			'waiting_retry',
		],
		['waiting, due', step({ state: 'waiting_retry', nextAttemptAt: NOW }), terms(), 'execute'],
		[
			'in doubt, to be looked up: not at once',
			step({ leaseExpiresAt: NOW - 4_999 }),
			terms({ onInDoubt: 'verify' }),
			'in_doubt',
		],
		[
			'in doubt, to be looked up',
			step({ leaseExpiresAt: NOW - 5_000 }),
			terms({ onInDoubt: 'verify' }),
			'look',
		],
		[
			'in doubt by the holder a moment ago: not at once',
			step({ state: 'in_doubt', settledBy: 'holder', settledAt: NOW - 4_999, leaseExpiresAt: 0 }),
			terms({ onInDoubt: 'verify' }),
			'in_doubt',
		],
		[
			'in doubt, and somebody looks',
			step({ leaseExpiresAt: 0, lookToken: 2, lookUntil: NOW + 1 }),
			terms({ onInDoubt: 'verify' }),
			'being_looked_at',
		],
		[
			'in doubt, and the one who looked died',
			step({ leaseExpiresAt: 0, lookToken: 2, lookUntil: NOW }),
			terms({ onInDoubt: 'verify' }),
			'look',
		],
	])('%s', (_, facts, claim, kind) => expect(judgeClaim(facts, claim, NOW).kind).toBe(kind));
});

const anyStep = fc.record({
	state: fc.constantFrom('claimed', 'completed', 'failed', 'in_doubt', 'waiting_retry'),
	attempt: fc.nat(20),
	fencingToken: fc.integer({ min: 1, max: 20 }),
	claimId: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
	firstClaimedAt: fc.nat(),
	budgetAttempt: fc.nat(20),
	budgetStartedAt: fc.nat(),
	leaseExpiresAt: fc.nat(),
	nextAttemptAt: fc.option(fc.nat(), { nil: undefined }),
	settledAt: fc.option(fc.nat(), { nil: undefined }),
	settledBy: fc.constantFrom('holder', 'person', 'clock', 'look', 'n8n', undefined),
	lookToken: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
	lookUntil: fc.option(fc.nat(), { nil: undefined }),
	lookClaimId: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
	executionId: fc.option(fc.constantFrom('1', '2'), { nil: undefined }),
}) as fc.Arbitrary<StepFacts>;
const anyTerms = fc.record({
	claimId: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
	executionId: fc.option(fc.constantFrom('1', '2'), { nil: undefined }),
	onInDoubt: fc.constantFrom('fail', 'retry', 'ask', 'verify'),
	receiverWindowMs: fc.nat(),
	lookAfterMs: fc.nat(),
}) as fc.Arbitrary<ClaimTerms>;

test('whatever happened before: a completed step never executes again', () => {
	fc.assert(
		fc.property(anyStep, anyTerms, fc.nat(), (facts, claim, now) => {
			const { kind } = judgeClaim({ ...facts, state: 'completed' }, claim, now);
			expect(kind).toBe('replay');
		}),
	);
});

test('whatever the clock says: a live claim is exclusive, and doubt is never executed unasked', () => {
	fc.assert(
		fc.property(anyStep, anyTerms, fc.nat(), (facts, claim, now) => {
			const state = effectiveState(facts, now);
			const { kind } = judgeClaim(facts, claim, now);
			if (state === 'claimed') expect(['in_progress', 'again']).toContain(kind);
			if (state === 'in_doubt' && claim.onInDoubt !== 'retry') expect(kind).not.toBe('execute');
		}),
	);
});

test('a claim is executed only where that is free: due, asked for within the window, or taken up anew', () => {
	fc.assert(
		fc.property(anyStep, anyTerms, fc.nat(), (facts, claim, now) => {
			const free = {
				claimed: false,
				completed: false,
				waiting_retry: (facts.nextAttemptAt ?? 0) <= now,
				in_doubt:
					claim.onInDoubt === 'retry' && now - facts.firstClaimedAt < claim.receiverWindowMs,
				failed:
					facts.settledBy !== 'person' &&
					claim.executionId !== undefined &&
					claim.executionId !== facts.executionId,
			}[effectiveState(facts, now)];
			const verdict = judgeClaim(facts, claim, now).kind;
			if (verdict !== 'again') expect(verdict === 'execute').toBe(free);
		}),
	);
});

test('an answer is given again only to its own claim, while no report and nobody came between', () => {
	fc.assert(
		fc.property(anyStep, anyTerms, fc.nat(), (facts, claim, now) => {
			if (judgeClaim(facts, claim, now).kind !== 'again') return;
			expect(claim.claimId).toBeDefined();
			expect(claim.claimId).toBe(facts.claimId);
			expect(['claimed', 'in_doubt']).toContain(facts.state);
			if (facts.state === 'in_doubt') expect(facts.settledBy).not.toBe('holder');
		}),
	);
});

test('what may be reported was not reported yet, except that doubt may be cleared up', () => {
	fc.assert(
		fc.property(anyStep, (facts) => {
			if (!reporter(facts, facts.fencingToken)) return;
			expect(facts.state).not.toBe('completed');
			expect(facts.state).not.toBe('failed');
			if (facts.state === 'waiting_retry') expect(['person', 'look']).toContain(facts.settledBy);
		}),
	);
});

test('a failure waits only where it may be tried again: retryable, and within what is left of the limits', () => {
	const limits = fc.record({
		maxAttempts: fc.integer({ min: 1, max: 50 }),
		maxElapsedMs: fc.nat(),
	});
	const verdict = fc.constantFrom('retryable', 'terminal', 'in_doubt' as const);
	fc.assert(
		fc.property(anyStep, limits, verdict, fc.nat(), fc.nat(), (facts, most, said, now, wish) => {
			const outcome = judgeFailure(facts, most, said, now, 0.5, wish);
			if (outcome.state !== 'waiting_retry') {
				const expected = said === 'in_doubt' ? 'in_doubt' : 'failed';
				expect(outcome.state).toBe(expected);
				if (outcome.state === 'failed') expect(outcome.exhausted).toBe(said === 'retryable');
				return;
			}
			expect(said).toBe('retryable');
			expect(facts.attempt - facts.budgetAttempt).toBeLessThan(most.maxAttempts);
			expect(outcome.nextAttemptAt - facts.budgetStartedAt).toBeLessThanOrEqual(most.maxElapsedMs);
			expect(outcome.nextAttemptAt).toBeGreaterThanOrEqual(now + Math.min(wish, 86_400_000));
		}),
	);
});

test('limits count anew only after a person or another execution took the step up', () => {
	fc.assert(
		fc.property(anyStep, (facts) => {
			const taken = facts.state === 'failed' || facts.settledBy === 'person';
			expect(beginsAnew(facts)).toBe(taken);
		}),
	);
});

test('a stale token never reports', () => {
	fc.assert(
		fc.property(anyStep, fc.nat(30), (facts, token) => {
			const given = [facts.fencingToken, facts.lookToken];
			if (!given.includes(token)) expect(reporter(facts, token)).toBeUndefined();
		}),
	);
});

test('a late report is taken while nobody settled the step, and after a person allowed a retry', () => {
	expect(reporter(step(expired), 1)).toBe('attempt');
	expect(reporter(step({ state: 'in_doubt', settledBy: 'clock' }), 1)).toBe('attempt');
	expect(reporter(step({ state: 'waiting_retry', settledBy: 'person' }), 1)).toBe('attempt');
	expect(reporter(step({ state: 'waiting_retry', settledBy: 'look' }), 1)).toBe('attempt');
	expect(reporter(step({ state: 'waiting_retry', settledBy: 'holder' }), 1)).toBeUndefined();
	expect(reporter(step({ state: 'failed', settledBy: 'person' }), 1)).toBeUndefined();
});

test('a look reports only on a step in doubt of which nothing came since', () => {
	fc.assert(
		fc.property(anyStep, (facts) => {
			if (facts.lookToken === undefined || facts.lookToken === facts.fencingToken) return;
			const free = facts.state === 'in_doubt' && facts.lookUntil !== undefined;
			expect(reporter(facts, facts.lookToken)).toBe(free ? 'look' : undefined);
		}),
	);
});

test('only who asks for it looks, one at a time, under a token that nobody had', () => {
	fc.assert(
		fc.property(anyStep, anyTerms, fc.nat(), (facts, claim, now) => {
			const verdict = judgeClaim(facts, claim, now);
			if (verdict.kind !== 'look') return;
			expect(claim.onInDoubt).toBe('verify');
			expect(effectiveState(facts, now)).toBe('in_doubt');
			if (verdict.token > newestToken(facts)) {
				expect(facts.lookUntil ?? 0).toBeLessThanOrEqual(now);
				return;
			}
			expect(verdict.token).toBe(facts.lookToken);
			expect(claim.claimId).toBe(facts.lookClaimId);
		}),
	);
});

describe('a reported failure', () => {
	const limits = { maxAttempts: 3, maxElapsedMs: 60_000 };
	test('retryable waits: exponential, full jitter, never before Retry-After', () => {
		const at = (attempt: number, random: number, retryAfterMs?: number) =>
			judgeFailure(step({ attempt }), limits, 'retryable', NOW, random, retryAfterMs);
		expect(at(1, 0.5)).toEqual({ state: 'waiting_retry', nextAttemptAt: NOW + 500 });
		expect(at(2, 0.5)).toEqual({ state: 'waiting_retry', nextAttemptAt: NOW + 1_000 });
		expect(at(1, 0, 30_000)).toEqual({ state: 'waiting_retry', nextAttemptAt: NOW + 30_000 });
	});
	test('attempts or time used up: failed', () => {
		expect(judgeFailure(step({ attempt: 3 }), limits, 'retryable', NOW, 0)).toEqual({
			state: 'failed',
			exhausted: true,
		});
		expect(judgeFailure(step({}), limits, 'retryable', NOW, 0, 50_001)).toEqual({
			state: 'failed',
			exhausted: true,
		});
	});
	test('terminal fails, in doubt stays in doubt', () => {
		expect(judgeFailure(step({}), limits, 'terminal', NOW, 0)).toEqual({
			state: 'failed',
			exhausted: false,
		});
		expect(judgeFailure(step({}), limits, 'in_doubt', NOW, 0)).toEqual({ state: 'in_doubt' });
	});
});

test('only what has no live attempt and no result is for people to resolve', () => {
	expect(mayResolve(step({}), NOW)).toBe(false);
	expect(mayResolve(step(expired), NOW)).toBe(true);
	expect(mayResolve(step({ state: 'completed' }), NOW)).toBe(false);
	expect(mayResolve(step({ state: 'failed' }), NOW)).toBe(true);
});
