import fc from 'fast-check';
import { backoffMs, nextAttemptAt } from '../../../service/domain/retry-policy';

const LONGEST_OWN_MS = 300_000;
const LONGEST_ASKED_MS = 86_400_000;

const attempt = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 1_000 }));
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
/** What the contract lets through: any integer from 0. */
const asked = fc.option(fc.oneof(fc.nat(100_000_000), fc.constantFrom(0, 2 ** 53 - 1, 1e300)), {
	nil: undefined,
});
const limits = fc.record({
	maxAttempts: fc.integer({ min: 1, max: 1_000 }),
	maxElapsedMs: fc.integer({ min: 0, max: 2_592_000_000 }),
});
const begun = fc.nat(1e12);
const later = fc.integer({ min: -100_000, max: 3_000_000_000 });

describe('how long it waits', () => {
	test.each([
		[1, 1_000],
		[2, 2_000],
		[3, 4_000],
		[8, 128_000],
		[9, 256_000],
		[10, LONGEST_OWN_MS],
		[1_000, LONGEST_OWN_MS],
	])('after attempt %i: anything up to %i ms', (failed, ceiling) => {
		expect(backoffMs(failed, 0)).toBe(0);
		expect(backoffMs(failed, 0.5)).toBe(ceiling / 2);
		expect(backoffMs(failed, 1 - Number.EPSILON)).toBe(ceiling);
	});

	test('whole milliseconds, never less than the receiver asked for within the cap, and no longer than need be', () => {
		fc.assert(
			fc.property(attempt, random, asked, (failed, chance, wish) => {
				const ms = backoffMs(failed, chance, wish);
				const wished = Math.min(wish ?? 0, LONGEST_ASKED_MS);
				expect(Number.isSafeInteger(ms)).toBe(true);
				expect(ms).toBeGreaterThanOrEqual(wished);
				expect(ms).toBeLessThanOrEqual(Math.max(wished, LONGEST_OWN_MS));
			}),
		);
	});

	test('more attempts, more bad luck or a longer wish never shorten it', () => {
		const pair = <Value>(value: fc.Arbitrary<Value>) => fc.tuple(value, value);
		fc.assert(
			fc.property(pair(attempt), pair(random), pair(fc.nat(LONGEST_ASKED_MS * 2)), (a, r, w) => {
				const least = backoffMs(Math.min(...a), Math.min(...r), Math.min(...w));
				const most = backoffMs(Math.max(...a), Math.max(...r), Math.max(...w));
				expect(least).toBeLessThanOrEqual(most);
			}),
		);
	});

	test('without a wish the chance reaches every tenth of the time, so that many do not come at once', () => {
		const tenths = Array.from({ length: 10 }, (_, n) => backoffMs(5, (n + 0.5) / 10) / 1_600);
		expect(tenths.map(Math.floor)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
	});
});

describe('when it is enough', () => {
	test('exactly when attempts are used up or the next one would begin too late', () => {
		fc.assert(
			fc.property(limits, attempt, begun, later, random, asked, (most, failed, t0, ms, r, wish) => {
				const now = t0 + ms;
				const at = nextAttemptAt(most, failed, t0, now, r, wish);
				const due = now + backoffMs(failed, r, wish);
				const enough = failed >= most.maxAttempts || due - t0 > most.maxElapsedMs;
				expect(at).toBe(enough ? undefined : due);
			}),
		);
	});

	test('whatever happens: no more attempts than allowed, and none begun after the time is over', () => {
		const failures = fc.array(fc.tuple(fc.nat(600_000), random, asked), {
			minLength: 30,
			maxLength: 30,
		});
		const few = fc.record({
			maxAttempts: fc.integer({ min: 1, max: 20 }),
			maxElapsedMs: fc.integer({ min: 0, max: 20_000_000 }),
		});
		fc.assert(
			fc.property(few, failures, (most, all) => {
				let beganAt = 0;
				let attempts = 0;
				for (const [tookMs, chance, wish] of all) {
					attempts += 1;
					expect(beganAt).toBeLessThanOrEqual(most.maxElapsedMs);
					const next = nextAttemptAt(most, attempts, 0, beganAt + tookMs, chance, wish);
					if (next === undefined) break;
					beganAt = next;
				}
				expect(attempts).toBeLessThanOrEqual(most.maxAttempts);
			}),
		);
	});
});
