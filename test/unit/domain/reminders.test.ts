import fc from 'fast-check';
import { nextReminder, refuseReminders } from '../../../service/domain/reminders';

const HOUR = 3_600_000;
const FROM = Date.parse('2027-03-01T10:00:00.000Z');
const open = { from: FROM, until: FROM + 10 * HOUR };

/** Every reminder that comes, as hours after the opening. */
function all(reminders: string[], until: number | undefined, stop: number): number[] {
	const hours: number[] = [];
	for (let now = FROM; ;) {
		const at = nextReminder(reminders, { from: FROM, until }, now);
		if (at === undefined || at > FROM + stop * HOUR) return hours;
		hours.push((at - FROM) / HOUR);
		now = at;
	}
}

test.each([
	[['50%'], [5]],
	[['PT2H'], [8]],
	[
		['50%', 'PT2H', '90%'],
		[5, 8, 9],
	],
	[['50%', 'PT5H'], [5]],
	[['PT10H'], []],
	[['P2D'], []],
	[['R/PT4H'], [4, 8, 12]],
	[[], []],
])('%j come after %j hours of ten', (reminders, hours) =>
	expect(all(reminders, open.until, 13)).toEqual(hours),
);

test('every day needs no deadline', () =>
	expect(all(['R/P1D'], undefined, 80)).toEqual([24, 48, 72]));

test('those that were missed are not made up for', () =>
	expect(nextReminder(['10%', '20%', '50%'], open, FROM + 4 * HOUR)).toBe(FROM + 5 * HOUR));

test('the next one is always later than now', () => {
	const reminder = fc.constantFrom('1%', '50%', '99%', 'PT1S', 'PT1H', 'R/PT1M', 'R/P1D');
	fc.assert(
		fc.property(fc.array(reminder), fc.nat(20 * HOUR), (reminders, after) => {
			const at = nextReminder(reminders, open, FROM + after);
			if (at !== undefined) expect(at).toBeGreaterThan(FROM + after);
		}),
	);
});

test.each([
	['0%', true],
	['100%', true],
	['50.5%', true],
	['half', true],
	['PT0S', true],
	['R/PT59S', true],
	['R/soon', true],
	['R3/P1D', true],
	['50%', false],
	['PT1H', false],
])('%s is refused, with a deadline: %s', (reminder, hasDeadline) =>
	expect(refuseReminders(['R/P1D', reminder], hasDeadline)).toEqual([
		{ pointer: '/1', detail: expect.any(String) },
	]),
);
