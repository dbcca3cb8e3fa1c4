import fc from 'fast-check';
import {
	readDecisionToken,
	signDecisionToken,
	tokenExpiry,
	type DecisionToken,
} from '../../../service/domain/decision-token';

const SECRET = Buffer.from('a secret of the tests, 32 bytes!');
const NOW = Date.parse('2027-03-01T10:00:00.000Z');
const TOKEN: DecisionToken = {
	gateId: 'ab'.repeat(32),
	holder: 0,
	via: 'link',
	expiresAt: NOW + 1,
};
const SHOWN = 'ef'.repeat(32);
const text = signDecisionToken(SECRET, TOKEN, SHOWN);

test('is read back as it was signed, whoever holds it', () => {
	const token = fc.record({
		gateId: fc
			.uint8Array({ minLength: 32, maxLength: 32 })
			.map((bytes) => Buffer.from(bytes).toString('hex')),
		holder: fc.oneof(fc.nat(49), fc.constantFrom('link' as const, 'show' as const)),
		via: fc.constantFrom('link' as const, 'email' as const),
		expiresAt: fc.integer({ min: NOW + 1, max: Date.UTC(9999, 11) }),
	});
	fc.assert(
		fc.property(token, (signed) => {
			const written = signDecisionToken(SECRET, signed, SHOWN);
			expect(written).toMatch(/^[\w.-]{1,200}$/);
			expect(readDecisionToken(SECRET, written, SHOWN, NOW)).toEqual(signed);
		}),
	);
});

test('every other character makes it invalid', () => {
	const alphabet = 'AQgw019azZ-_.~';
	fc.assert(
		fc.property(fc.nat(text.length - 1), fc.constantFrom(...alphabet), (at, character) => {
			fc.pre(text[at] !== character);
			const altered = text.slice(0, at) + character + text.slice(at + 1);
			expect(readDecisionToken(SECRET, altered, SHOWN, NOW)).toBe('invalid');
		}),
	);
});

test.each([
	['cut', text.slice(0, -1)],
	['longer', `${text}A`],
	['empty', ''],
	[
		'of another gate',
		signDecisionToken(SECRET, { ...TOKEN, gateId: 'cd'.repeat(32) }, SHOWN).slice(0, 43) +
			text.slice(43),
	],
])('%s is invalid', (_, altered) =>
	expect(readDecisionToken(SECRET, altered, SHOWN, NOW)).toBe('invalid'),
);

test('another secret makes it invalid', () =>
	expect(readDecisionToken(Buffer.from('another secret'), text, SHOWN, NOW)).toBe('invalid'));

test('it is of no use for a gate that shows something else', () =>
	expect(readDecisionToken(SECRET, text, 'aa'.repeat(32), NOW)).toBe('invalid'));

test('expires, and says so only when it is genuine', () => {
	expect(readDecisionToken(SECRET, text, SHOWN, NOW + 1)).toBe('expired');
	expect(readDecisionToken(Buffer.from('another secret'), text, SHOWN, NOW + 1)).toBe('invalid');
});

test('outlives its gate by a month', () => {
	expect(tokenExpiry(NOW, NOW + 1)).toBe(NOW + 1 + 30 * 86_400_000);
	expect(tokenExpiry(NOW, null)).toBe(NOW + 395 * 86_400_000);
});
