import Value from 'typebox/value';
import { Deadline } from '../../../service/contract/gates';
import { deadlineOf, type DeadlineParameters } from '../../../nodes/ApprovalGate/deadline';

const timeZone = 'Europe/Madrid';
const after = (amount: unknown, unit: unknown): DeadlineParameters => ({
	deadlineType: 'after',
	amount,
	unit,
	timeZone,
});
const clock = (time: unknown): DeadlineParameters => ({ deadlineType: 'clock', time, timeZone });
const at = (dateTime: unknown): DeadlineParameters => ({
	deadlineType: 'instant',
	dateTime,
	timeZone,
});

it('has none', () => {
	expect(deadlineOf({ deadlineType: 'none', timeZone })).toBeUndefined();
});

it.each([
	['hours', after(3, 'hours'), { in: 'PT3H' }],
	['days of 24 hours', after(2, 'days'), { in: 'P2D' }],
	['minutes given as text', after('90', 'minutes'), { in: 'PT90M' }],
	['a fraction', after(1.5, 'hours'), { in: 'PT5400S' }],
	['a tiny fraction', after(0.0001, 'seconds'), { in: 'PT1S' }],
	['a clock time', clock('11:00'), { at: '11:00', timeZone }],
	['a clock time without the leading zero', clock(' 9:05 '), { at: '09:05', timeZone }],
	['a clock time with seconds', clock('17:30:00'), { at: '17:30', timeZone }],
	['a local instant', at('2027-06-01T11:00:00'), { on: '2027-06-01T11:00:00', timeZone }],
	['an instant with a space', at('2027-06-01 11:00'), { on: '2027-06-01T11:00', timeZone }],
	['an instant in UTC', at('2027-06-01T09:00:00.000Z'), { on: '2027-06-01T09:00:00.000Z' }],
	['an instant with an offset', at('2027-06-01T11:00+02:00'), { on: '2027-06-01T11:00+02:00' }],
	[
		'what $now.plus(…) gives',
		at({ toISO: () => '2027-06-01T11:00:00.000+02:00' }),
		{ on: '2027-06-01T11:00:00.000+02:00' },
	],
	['a Date', at(new Date(Date.UTC(2027, 5, 1, 9))), { on: '2027-06-01T09:00:00.000Z' }],
])('reads %s', (_, parameters, expected) => {
	expect(deadlineOf(parameters)).toEqual(expected);
	expect(Value.Check(Deadline, expected)).toBe(true);
});

it.each([
	['no amount', after('', 'hours')],
	['zero', after(0, 'hours')],
	['less than nothing', after(-1, 'hours')],
	['words', after('soon', 'hours')],
	['an unknown unit', after(1, 'fortnights')],
	['a member of every object as unit', after(1, 'toString')],
	['25 o’clock', clock('25:00')],
	['an empty clock time', clock('')],
	['an empty instant', at('')],
	['a date alone', at('2027-06-01')],
	['tomorrow', at('tomorrow')],
])('refuses %s', (_, parameters) => {
	expect(() => deadlineOf(parameters)).toThrow();
});
