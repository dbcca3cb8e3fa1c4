import { parseRetryAfter } from '../../../nodes/shared/retry-after';

const NOW = Date.parse('2027-06-01T09:00:00.000Z');

it.each<[unknown, number | undefined]>([
	['0', 0],
	['7', 7000],
	[7, 7000],
	[' 30 ', 30_000],
	['86400', 3_600_000],
	['9999999999', 3_600_000],
	['Tue, 01 Jun 2027 09:00:05 GMT', 5000],
	['Tue, 01 Jun 2027 08:00:00 GMT', 0],
	['Wed, 02 Jun 2027 09:00:00 GMT', 3_600_000],
	['-1', undefined],
	['1.5', undefined],
	[1.5, undefined],
	[-3, undefined],
	[Number.NaN, undefined],
	['Infinity', undefined],
	['1e3', undefined],
	['0x10', undefined],
	['soon', undefined],
	['', undefined],
	['2027-06-01T09:00:05Z', undefined],
	['Tue, 99 Jun 2027 09:00:05 GMT', undefined],
	['12345678901', undefined],
	[null, undefined],
	[undefined, undefined],
	[['7'], undefined],
	[{}, undefined],
])('%p is %p ms', (value, expected) => {
	expect(parseRetryAfter(value, NOW)).toBe(expected);
});
