import fc from 'fast-check';
import { readAnswer } from '../../../nodes/IdempotentToolCall/look-up-answer';
import { readItems } from '../../../nodes/IdempotentToolCall/look-up-workflow';

const ok = (body: unknown) => ({ statusCode: 200, body });
const invoice = { id: 'INV-1' };

test.each<[string, unknown, string, unknown]>([
	['the first of a list', { data: [invoice, { id: 'INV-2' }] }, 'data', invoice],
	['what is at the path', { data: [invoice] }, 'data.0.id', 'INV-1'],
	['a member', { invoice }, 'invoice', invoice],
	['the whole answer', invoice, '', invoice],
	['the whole answer, a list', [invoice], '', invoice],
	['a yes stands for the answer', { found: true, id: 7 }, 'found', { found: true, id: 7 }],
	['a count stands for the answer', { total: 1, id: 7 }, 'total', { total: 1, id: 7 }],
])('it happened: %s', (_, body, field, result) =>
	expect(readAnswer(ok(body), field)).toEqual({ happened: true, result }),
);

test.each<[string, { statusCode: number; body: unknown }, string]>([
	['an empty list', ok({ data: [] }), 'data'],
	['an empty list as the answer', ok([]), ''],
	['null', ok({ invoice: null }), 'invoice'],
	['a no', ok({ found: false }), 'found'],
	['a count of none', ok({ total: 0 }), 'total'],
	['not found', { statusCode: 404, body: 'no such thing' }, 'data'],
])('it did not happen: %s', (_, answer, field) =>
	expect(readAnswer(answer, field)).toMatchObject({ happened: false }),
);

test.each<[string, { statusCode: number; body: unknown }, string]>([
	['no such field', ok({ items: [] }), 'data'],
	['nothing at that index', ok({ data: [] }), 'data.0'],
	['a text, such as the page of a proxy', ok('<html>'), ''],
	['no body', ok(''), ''],
	['an inherited member', ok({}), 'constructor'],
])('nobody knows: %s', (_, answer, field) =>
	expect(readAnswer(answer, field)).toMatchObject({ happened: undefined }),
);

test('any other status leaves the doubt, whatever the body says', () => {
	const status = fc.integer({ min: 100, max: 599 }).filter((each) => each < 200 || each > 299);
	fc.assert(
		fc.property(status, fc.json(), (statusCode, json) => {
			const { happened } = readAnswer({ statusCode, body: JSON.parse(json) }, '');
			expect(happened).toBe(statusCode === 404 ? false : undefined);
		}),
	);
});

test('a workflow says yes or no in one item; nothing else counts', () => {
	expect(readItems([{ json: { happened: true, result: invoice } }])).toEqual({
		happened: true,
		result: invoice,
	});
	expect(readItems([{ json: { happened: true } }])).toEqual({ happened: true, result: null });
	expect(readItems([{ json: { happened: false } }])).toMatchObject({ happened: false });
	const yes = { json: { happened: true } };
	for (const items of [[], [yes, yes], [{ json: {} }], [{ json: { happened: 'false' } }]])
		expect(readItems(items)).toMatchObject({ happened: undefined });
});
