import fc from 'fast-check';
import { fileNameOf } from '../../../nodes/IdempotentToolCall/operations/http-file-name';

const URL = 'https://example.com/files/a%20b.pdf?x=1';

it.each<[string, unknown, string | undefined]>([
	['quoted', 'attachment; filename="invoice 7.pdf"', 'invoice 7.pdf'],
	['a token', 'inline;filename=invoice.pdf', 'invoice.pdf'],
	['an escaped quote', 'attachment; filename="a\\"b;c.pdf"', 'a"b;c.pdf'],
	['a character set', 'attachment; filename="e.pdf"; filename*=UTF-8\'\'%e2%82%ac.pdf', '€.pdf'],
	['a broken character set', "attachment; filename*=UTF-8''%e2%8; filename=e.pdf", 'e.pdf'],
	['folders', 'attachment; filename="../../etc/passwd"', 'passwd'],
	['folders of Windows', 'attachment; filename=C:\\temp\\a.pdf', 'a.pdf'],
	['only the kind', 'attachment', 'a b.pdf'],
	['nothing', undefined, 'a b.pdf'],
])('%s', (_what, header, name) => {
	expect(fileNameOf(header, URL)).toBe(name);
});

it('has none where neither says one', () => {
	expect(fileNameOf(undefined, 'https://example.com/')).toBeUndefined();
});

it('never leads into a folder, whatever a receiver says', () => {
	fc.assert(
		fc.property(fc.string(), (name) => {
			for (const header of [
				`attachment; filename=${name}`,
				`attachment; filename="${name}"`,
				`attachment; filename*=UTF-8''${encodeURIComponent(name.toWellFormed())}`,
			])
				expect(fileNameOf(header, URL)).not.toMatch(/[/\\]/);
		}),
	);
});
