import { detailRows } from '../../../service/domain/detail-rows';

test('members become rows, nested ones below their name, plain lists as lines', () => {
	expect(
		detailRows({ to: 'a@b.c', tags: ['x', 1], items: [{ n: 2 }], none: null, empty: {} }),
	).toEqual([
		{ depth: 0, name: 'to', value: 'a@b.c' },
		{ depth: 0, name: 'tags', value: 'x\n1' },
		{ depth: 0, name: 'items' },
		{ depth: 1, name: '1' },
		{ depth: 2, name: 'n', value: '2' },
		{ depth: 0, name: 'none', value: 'null' },
		{ depth: 0, name: 'empty', value: '{}' },
	]);
});

test.each([
	['a text', 'just text', [{ depth: 0, name: '', value: 'just text' }]],
	['a list', ['a', 'b'], [{ depth: 0, name: '', value: 'a\nb' }]],
	['nothing', null, []],
])('an input that is %s', (_name, input, rows) => expect(detailRows(input)).toEqual(rows));

test('names are made visible too', () =>
	expect(detailRows({ 'a\u202Eb\n': 'c\u202Ed' })).toEqual([
		{ depth: 0, name: 'a\ufffdb', value: 'c\ufffdd' },
	]));

test('too deep is shown as JSON, too many rows are counted', () => {
	const deep = { a: { a: { a: { a: { a: { a: { a: { b: 1 } } } } } } } };
	expect(detailRows(deep).at(-1)).toEqual({ depth: 6, name: 'a', value: '{"b":1}' });
	const wide = Object.fromEntries(Array.from({ length: 310 }, (_, i) => [`k${i}`, i]));
	expect(detailRows(wide)).toHaveLength(301);
	expect(detailRows(wide).at(-1)!.value).toBe('10 more');
});
