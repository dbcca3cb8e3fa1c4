import fc from 'fast-check';
import { hasStatus, parseStatusList, sharedStatus } from '../../../nodes/shared/status-list';

const status = fc.integer({ min: 100, max: 599 });
const range = fc
	.tuple(status, status)
	.map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as [number, number]);
const space = fc.constantFrom('', ' ', '  ', '\n', '\t');
/** Ranges, and one of the ways in which people write them. */
const written = fc.array(range, { minLength: 1, maxLength: 5 }).chain((ranges) =>
	fc.tuple(...ranges.map(() => fc.tuple(space, space, space, space))).map((spaces) => ({
		ranges,
		text: ranges
			.map(([first, last], at) => {
				const [a, b, c, d] = spaces[at]!;
				return a + (first === last ? `${first}` : `${first}${b}-${c}${last}`) + d;
			})
			.join(','),
	})),
);
const ALL = Array.from({ length: 500 }, (_, at) => 100 + at);

it('has the statuses that were written, and no other', () => {
	fc.assert(
		fc.property(written, ({ ranges, text }) => {
			const list = parseStatusList(text)!;
			for (const each of ALL)
				expect(hasStatus(list, each)).toBe(
					ranges.some(([first, last]) => each >= first && each <= last),
				);
		}),
		{ numRuns: 50 },
	);
});

it('reads what is written and nothing that is not: a changed sign is another list or none', () => {
	fc.assert(
		fc.property(written, fc.nat(), fc.string({ maxLength: 2 }), ({ text }, at, sign) => {
			const place = at % text.length;
			const changed = text.slice(0, place) + sign + text.slice(place + 1);
			const list = parseStatusList(changed);
			if (list === undefined) return;
			const again = list.map(([first, last]) => (first === last ? first : `${first}-${last}`));
			const plain = (one: string) =>
				one.replace(/\s/g, '').replace(/(\d{3})-(\d{3})/g, (all, a, b) => (a === b ? a : all));
			expect(plain(again.join(','))).toBe(plain(changed));
		}),
	);
});

it.each(['', '  ', '\n'])('"%s" is an empty list', (text) => {
	expect(parseStatusList(text)).toEqual([]);
});

it.each([
	'4xx',
	'99',
	'600',
	'504-500',
	'409;500',
	'409 500',
	'409,',
	',',
	'-409',
	'409-',
	'4.09e2',
])('"%s" is none', (text) => {
	expect(parseStatusList(text)).toBeUndefined();
});

it('finds a status that two lists share, wherever they overlap', () => {
	fc.assert(
		fc.property(written, written, (one, other) => {
			const [a, b] = [parseStatusList(one.text)!, parseStatusList(other.text)!];
			const shared = ALL.filter((each) => hasStatus(a, each) && hasStatus(b, each));
			const found = sharedStatus(a, b);
			if (shared.length === 0) expect(found).toBeUndefined();
			else expect(shared).toContain(found);
		}),
		{ numRuns: 50 },
	);
});
