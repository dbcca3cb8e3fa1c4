import { judgeWakeUp, wakeDelayMs, type WakeFacts } from '../../../service/domain/wake-up';

const MINUTE = 60_000;
const DAY = 86_400_000;
const facts = (members: Partial<WakeFacts> = {}): WakeFacts => ({
	attempts: 1,
	pendingSince: 0,
	missingSince: null,
	toldAtOpen: false,
	...members,
});

test('an accepted wake-up is done', () =>
	expect(judgeWakeUp('resumed', facts(), 1, 0.5)).toEqual({ state: 'done' }));

test('delays begin at 0.2 s, double, and stay at 30 s', () => {
	expect([1, 2, 3, 8, 9, 50, 5_000].map((attempts) => wakeDelayMs(attempts, 1))).toEqual([
		200, 400, 800, 25_600, 30_000, 30_000, 30_000,
	]);
	expect(wakeDelayMs(1, 0)).toBe(100);
});

test('what may come later is tried for a month', () => {
	expect(judgeWakeUp('later', facts(), 30 * DAY - 1, 0)).toMatchObject({ state: 'pending' });
	expect(judgeWakeUp('later', facts(), 30 * DAY, 0)).toEqual({ state: 'gone' });
});

test('nobody there is gone after ten minutes of it', () => {
	expect(judgeWakeUp('missing', facts(), 5_000, 1)).toEqual({
		state: 'pending',
		nextAttemptAt: 5_200,
		missingSince: 5_000,
	});
	const since = facts({ missingSince: 5_000 });
	expect(judgeWakeUp('missing', since, 5_000 + 10 * MINUTE - 1, 0)).toMatchObject({
		state: 'pending',
		missingSince: 5_000,
	});
	expect(judgeWakeUp('missing', since, 5_000 + 10 * MINUTE, 0)).toEqual({ state: 'gone' });
});

test('another answer in between begins the ten minutes anew', () =>
	expect(judgeWakeUp('later', facts({ missingSince: 5_000 }), 20 * MINUTE, 0)).toMatchObject({
		state: 'pending',
		missingSince: null,
	}));

test('an execution that got the decision when it opened and ended needs no waking', () =>
	expect(judgeWakeUp('missing', facts({ toldAtOpen: true }), 1, 0)).toEqual({ state: 'done' }));
