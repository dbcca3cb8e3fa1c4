import fc from 'fast-check';
import {
	canonicalJson,
	findUnhashable,
	hashableJson,
} from '../../../service/domain/canonical-json';

/** Examples published in RFC 8785: sections 3.2.2, 3.2.3, appendix B. */
describe('RFC 8785', () => {
	test('section 3.2.2: the example document', () => {
		const text = `{
			"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
			"string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
			"literals": [null, true, false]
		}`;
		expect(canonicalJson(JSON.parse(text))).toBe(
			'{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
		);
	});

	test('section 3.2.3: members in order of their UTF-16 code units', () => {
		const members = {
			'\u20ac': 'Euro Sign',
			'\r': 'Carriage Return',
			'\ufb33': 'Hebrew Letter Dalet With Dagesh',
			'1': 'One',
			'\u{1f600}': 'Emoji: Grinning Face',
			'\u0080': 'Control',
			'\u00f6': 'Latin Small Letter O With Diaeresis',
		};
		expect(Object.values(JSON.parse(canonicalJson(members)))).toHaveLength(7);
		expect([...canonicalJson(members).matchAll(/:"([^"]+)"/g)].map(([, value]) => value)).toEqual([
			'Carriage Return',
			'One',
			'Control',
			'Latin Small Letter O With Diaeresis',
			'Euro Sign',
			'Emoji: Grinning Face',
			'Hebrew Letter Dalet With Dagesh',
		]);
	});

	test.each([
		['0000000000000000', '0'],
		['8000000000000000', '0'],
		['0000000000000001', '5e-324'],
		['8000000000000001', '-5e-324'],
		['7fefffffffffffff', '1.7976931348623157e+308'],
		['ffefffffffffffff', '-1.7976931348623157e+308'],
		['4340000000000000', '9007199254740992'],
		['c340000000000000', '-9007199254740992'],
		['4430000000000000', '295147905179352830000'],
		['44b52d02c7e14af5', '9.999999999999997e+22'],
		['44b52d02c7e14af6', '1e+23'],
		['44b52d02c7e14af7', '1.0000000000000001e+23'],
		['444b1ae4d6e2ef4e', '999999999999999700000'],
		['444b1ae4d6e2ef4f', '999999999999999900000'],
		['444b1ae4d6e2ef50', '1e+21'],
		['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
		['3eb0c6f7a0b5ed8d', '0.000001'],
		['41b3de4355555553', '333333333.3333332'],
		['41b3de4355555554', '333333333.33333325'],
		['41b3de4355555555', '333333333.3333333'],
		['41b3de4355555556', '333333333.3333334'],
		['41b3de4355555557', '333333333.33333343'],
		['becbf647612f3696', '-0.0000033333333333333333'],
		['43143ff3c1cb0959', '1424953923781206.2'],
	])('appendix B: IEEE 754 %s is %s', (bits, expected) => {
		expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(expected);
	});
});

test('undefined members are absent, undefined items are null', () => {
	expect(canonicalJson({ b: undefined, a: [undefined, 1] })).toBe('{"a":[null,1]}');
});

test('no Unicode normalisation: composed and decomposed stay apart', () => {
	expect(canonicalJson('\u00e9')).not.toBe(canonicalJson('e\u0301'));
});

describe('values without a safe canonical form are named, not rounded', () => {
	test.each([
		['1e400', ''],
		['-1e400', ''],
		['9007199254740992', ''],
		['9007199254740993', ''],
		['1e16', ''],
		['9007199254740993.0', ''],
		['{"a":[0,{"b/c":1e300}]}', '/a/1/b~1c'],
		['"\\ud800"', ''],
		['{"\\udc00":1}', '/\udc00'],
	])('%s', (text, pointer) => {
		expect(findUnhashable(JSON.parse(text)).map((found) => found.pointer)).toEqual([pointer]);
	});

	test('NaN, functions and symbols', () => {
		expect(findUnhashable({ a: NaN, b: () => 0, c: Symbol('c') })).toHaveLength(3);
	});

	test.each(['9007199254740991', '-9007199254740991', '0.1', '1e-300', '"\\ud83d\\ude00"', '[]'])(
		'%s is fine',
		(text) => expect(findUnhashable(JSON.parse(text))).toEqual([]),
	);
});

describe('the text that is hashed is written and refused in one walk', () => {
	const hostile = fc.constantFrom<unknown>(NaN, -Infinity, 2 ** 53, -1e300, '\ud800', 'a\udc00b');
	const { json } = fc.letrec<{ json: unknown }>((tie) => ({
		json: fc.oneof(
			{ maxDepth: 4, withCrossShrink: true },
			fc.jsonValue({ maxDepth: 0 }),
			{ weight: 1, arbitrary: hostile },
			fc.array(tie('json'), { maxLength: 4 }),
			fc.dictionary(
				fc.oneof(fc.string(), fc.constantFrom('10', '9', '__proto__', '\ud800')),
				tie('json'),
				{
					maxKeys: 4,
				},
			),
		),
	}));

	test('it is refused exactly where findUnhashable names something, else it is the canonical text', () => {
		fc.assert(
			fc.property(json, (value) => {
				const refused = findUnhashable(value).length > 0;
				expect(hashableJson(value)).toBe(refused ? undefined : canonicalJson(value));
			}),
			{ numRuns: 1_000 },
		);
	});

	test('it says the whole value, and does not depend on the order of members', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				const text = canonicalJson(value);
				expect(JSON.stringify(JSON.parse(text))).toHaveLength(text.length);
				expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
				expect(canonicalJson(reversed(value))).toBe(text);
			}),
		);
	});

	function reversed(value: unknown): unknown {
		if (Array.isArray(value)) return value.map(reversed);
		if (typeof value !== 'object' || value === null) return value;
		const members = Object.entries(value).map(([name, member]) => [name, reversed(member)]);
		return Object.fromEntries(members.reverse());
	}
});
