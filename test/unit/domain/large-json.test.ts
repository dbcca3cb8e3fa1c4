import fc from 'fast-check';
import { LargeJson, plainValue, utf8Pieces } from '../../../service/domain/large-json';

test('pieces put together are the text, none is longer than asked, none cuts a character', () => {
	const text = fc.string({ unit: fc.constantFrom('a', 'ä', '€', '😀') });
	fc.assert(
		fc.property(text, fc.integer({ min: 4, max: 20 }), (whole, size) => {
			const pieces = [...utf8Pieces(Buffer.from(whole), size)];
			expect(pieces.join('')).toBe(whole);
			for (const piece of pieces) {
				expect(Buffer.byteLength(piece)).toBeLessThanOrEqual(size);
				expect(piece).not.toContain('\ufffd');
			}
		}),
	);
});

test('its value is what its text says, wherever it is asked for', () => {
	const large = new LargeJson(Buffer.from('{"a":[1,null]}'), { textSha256: '' });
	expect(plainValue(large)).toEqual({ a: [1, null] });
	expect(JSON.stringify({ input: large })).toBe('{"input":{"a":[1,null]}}');
	expect(plainValue('plain')).toBe('plain');
});
