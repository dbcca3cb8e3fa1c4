import fc from 'fast-check';
import type { Deadline } from '../../../service/contract/gates';
import { deadlineInstant } from '../../../service/domain/deadline';
import { durationMs } from '../../../service/domain/duration';
import { instantOf, wallTimeAt } from '../../../service/domain/zone';

const NOW = Date.parse('2027-03-01T10:00:00.000Z');
const resolved = (deadline: Deadline, now: number | string = NOW) => {
	const at = deadlineInstant(deadline, typeof now === 'string' ? Date.parse(now) : now);
	return typeof at === 'number' ? new Date(at).toISOString() : at;
};

describe('durations', () => {
	test.each([
		['PT3H', 10_800_000],
		['P2D', 172_800_000],
		['P1DT2H3M4S', 93_784_000],
		['PT0S', 0],
		['PT90M', 5_400_000],
	])('%s', (text, ms) => expect(durationMs(text)).toBe(ms));

	test.each([
		'',
		'P',
		'PT',
		'P1DT',
		'3H',
		'PT1.5H',
		'P1M',
		'P1W',
		'-PT1H',
		'PT1H ',
		`PT${'9'.repeat(40)}S`,
	])('%j is refused', (text) => expect(durationMs(text)).toBeUndefined());

	test('count as their parts do', () => {
		const part = fc.nat(10_000);
		fc.assert(
			fc.property(part, part, part, part, (d, h, m, s) => {
				expect(durationMs(`P${d}DT${h}H${m}M${s}S`)).toBe(
					(((d * 24 + h) * 60 + m) * 60 + s) * 1000,
				);
			}),
		);
	});
});

describe('a date and time in a zone', () => {
	// Source: the IANA time zone database; each zone with a plain day, its gap and its overlap.
	test.each([
		['Europe/Madrid', '2027-06-01T11:00', '2027-06-01T09:00:00.000Z'],
		['Europe/Madrid', '2027-03-28T01:59:59', '2027-03-28T00:59:59.000Z'],
		['Europe/Madrid', '2027-03-28T02:30', '2027-03-28T01:30:00.000Z'],
		['Europe/Madrid', '2027-03-28T03:00', '2027-03-28T01:00:00.000Z'],
		['Europe/Madrid', '2027-10-31T02:30', '2027-10-31T00:30:00.000Z'],
		['Europe/Madrid', '2027-10-31T03:00', '2027-10-31T02:00:00.000Z'],
		['America/New_York', '2027-03-14T02:30', '2027-03-14T07:30:00.000Z'],
		['America/New_York', '2027-11-07T01:30', '2027-11-07T05:30:00.000Z'],
		['America/New_York', '2027-07-04T09:15:30.250', '2027-07-04T13:15:30.250Z'],
		['Australia/Lord_Howe', '2027-10-03T02:15', '2027-10-02T15:45:00.000Z'],
		['Australia/Lord_Howe', '2027-04-04T01:45', '2027-04-03T14:45:00.000Z'],
		['America/Santiago', '2027-09-05T00:30', '2027-09-05T04:30:00.000Z'],
		['America/Santiago', '2027-04-03T23:30', '2027-04-04T02:30:00.000Z'],
		['Pacific/Auckland', '2027-09-26T02:30', '2027-09-25T14:30:00.000Z'],
		['Pacific/Auckland', '2027-04-04T02:30', '2027-04-03T13:30:00.000Z'],
		['Asia/Kolkata', '2027-12-31T23:59', '2027-12-31T18:29:00.000Z'],
		['Pacific/Kiritimati', '2027-12-31T23:59', '2027-12-31T09:59:00.000Z'],
		['UTC', '2028-02-29T12:00', '2028-02-29T12:00:00.000Z'],
	])('%s %s', (timeZone, on, at) => expect(resolved({ on, timeZone })).toBe(at));

	test('gives back the reading it was made from, unless clocks skip it', () => {
		const zones = fc.constantFrom(
			'Europe/Madrid',
			'America/New_York',
			'Asia/Kathmandu',
			'Pacific/Apia',
		);
		const instants = fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2037, 0) });
		fc.assert(
			fc.property(zones, instants, (zone, at) => {
				const wall = wallTimeAt(at, zone);
				const first = instantOf(wall, zone);
				// Every reading that a zone really shows is found, and the first time it shows it.
				expect(wallTimeAt(first, zone)).toEqual(wall);
				expect(first).toBeLessThanOrEqual(at);
			}),
		);
	});
});

describe('an instant with its offset', () => {
	test.each([
		['2027-06-01T09:00:00Z', '2027-06-01T09:00:00.000Z'],
		['2027-06-01T09:00Z', '2027-06-01T09:00:00.000Z'],
		['2027-06-01T11:00:00.5+02:00', '2027-06-01T09:00:00.500Z'],
		['2027-06-01T03:30-05:30', '2027-06-01T09:00:00.000Z'],
	])('%s', (on, at) => expect(resolved({ on })).toBe(at));

	test.each([
		'2027-02-29T09:00Z',
		'2027-13-01T09:00Z',
		'2027-06-31T09:00Z',
		'2027-06-01T24:00Z',
		'2027-06-01T09:60Z',
		'2027-06-01T09:00:60Z',
		'2027-06-01T09:00+24:00',
	])('%s does not exist', (on) =>
		expect(resolved({ on })).toEqual({ pointer: '/on', detail: expect.any(String) }),
	);
});

describe('the next time it is that late there', () => {
	test.each([
		[
			'later today',
			'11:00',
			'Europe/Madrid',
			'2027-06-01T08:59:59.999Z',
			'2027-06-01T09:00:00.000Z',
		],
		[
			'exactly now is tomorrow',
			'11:00',
			'Europe/Madrid',
			'2027-06-01T09:00:00.000Z',
			'2027-06-02T09:00:00.000Z',
		],
		[
			'over the year',
			'00:00',
			'Asia/Tokyo',
			'2027-12-31T15:00:00.000Z',
			'2028-01-01T15:00:00.000Z',
		],
		[
			'today there, yesterday in UTC',
			'06:00',
			'Pacific/Auckland',
			'2027-06-30T17:00:00.000Z',
			'2027-06-30T18:00:00.000Z',
		],
		[
			'a day of 23 hours',
			'11:00',
			'Europe/Madrid',
			'2027-03-27T10:00:00.000Z',
			'2027-03-28T09:00:00.000Z',
		],
		[
			'a day of 25 hours',
			'11:00',
			'Europe/Madrid',
			'2027-10-30T09:00:00.000Z',
			'2027-10-31T10:00:00.000Z',
		],
		[
			'in the gap',
			'02:30',
			'Europe/Madrid',
			'2027-03-27T12:00:00.000Z',
			'2027-03-28T01:30:00.000Z',
		],
		[
			'in the overlap, the first',
			'02:30',
			'Europe/Madrid',
			'2027-10-30T12:00:00.000Z',
			'2027-10-31T00:30:00.000Z',
		],
	])('%s', (_, at, timeZone, now, expected) =>
		expect(resolved({ at, timeZone }, now)).toBe(expected),
	);

	test('lies within the next 49 hours', () => {
		const zones = fc.constantFrom(
			'Europe/Madrid',
			'America/Santiago',
			'Asia/Kolkata',
			'Pacific/Auckland',
		);
		const instants = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2037, 0) });
		fc.assert(
			fc.property(zones, instants, fc.nat(23), fc.nat(59), (timeZone, now, hour, minute) => {
				const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
				const at = deadlineInstant({ at: time, timeZone }, now) as number;
				expect(at - now).toBeGreaterThan(0);
				expect(at - now).toBeLessThanOrEqual(49 * 3_600_000);
			}),
		);
	});
});

describe('what cannot be a deadline', () => {
	test.each<[string, Deadline, string]>([
		['no length', { in: 'PT0S' }, '/in'],
		['no such zone', { at: '11:00', timeZone: 'Europe/Atlantis' }, '/timeZone'],
		['the past', { on: '2027-03-01T09:59:59.999Z' }, '/on'],
		['now', { on: '2027-03-01T10:00:00.000Z' }, '/on'],
		['the past in a zone', { on: '2027-03-01T11:00', timeZone: 'Europe/Madrid' }, '/on'],
		['too far to be written', { in: 'P9999999D' }, '/in'],
	])('%s', (_, deadline, pointer) =>
		expect(resolved(deadline)).toEqual({ pointer, detail: expect.any(String) }),
	);
});
