import fc from 'fast-check';
import { shorten, visibleLine, visibleText } from '../../../service/domain/visible-text';

test.each([
	['a right-to-left override', 'invoice\u202Efdp.exe', 'invoice\ufffdfdp.exe'],
	['an isolate', 'a\u2066b\u2069c', 'a\ufffdb\ufffdc'],
	['a terminal escape', 'a\u001b[31mb', 'a\ufffd[31mb'],
	['a C1 control', 'a\u0085b', 'a\ufffdb'],
	['a zero-width space', 'pay\u200bpal', 'pay\ufffdpal'],
	['a tag character', 'a\u{e0041}b', 'a\ufffdb'],
	['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
	['a null byte', 'a\0b', 'a\ufffdb'],
	['Windows line ends', 'a\r\nb\rc', 'a\nb\nc'],
	['a family emoji, which is joined by invisible joiners', '👨‍👩‍👧', '👨‍👩‍👧'],
	['Persian with its non-joiner', 'می‌خواهم', 'می‌خواهم'],
])('%s', (_name, raw, shown) => expect(visibleText(raw)).toBe(shown));

test('one line has no line ends', () => expect(visibleLine(' a\r\n\tb  c ')).toBe('a b c'));

test('text is cut at a word end, and ends in an ellipsis', () => {
	expect(shorten('one two three', 9)).toBe('one two…');
	expect(shorten('one two', 7)).toBe('one two');
});

test('an emoji of several code points is kept whole or left out whole', () => {
	expect(shorten(`${'x'.repeat(10)}👨‍👩‍👧y`, 14)).toBe(`${'x'.repeat(10)}…`);
});

test('never over the limit, never half a surrogate pair', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.nat(500), (text, limit) => {
			const short = shorten(text, limit);
			expect(short.length).toBeLessThanOrEqual(limit);
			expect(short.isWellFormed()).toBe(true);
		}),
	);
});
