import fc from 'fast-check';
import {
	keepOnly,
	leadsSomewhere,
	leaveOut,
	parseFieldPaths,
} from '../../../nodes/shared/key-fields';

const ORDER = {
	orderId: 'A-1',
	sentAt: '10:00',
	lines: [
		{ sku: 'x', at: 1 },
		{ sku: 'y', at: 2 },
	],
	meta: { requestId: 'r', shop: 's' },
};
const paths = (text: string) => parseFieldPaths(text);

it('reads names between commas and line breaks', () => {
	expect(paths(' a.b , c\n\n,d')).toEqual([['a', 'b'], ['c'], ['d']]);
	expect(paths('')).toEqual([]);
});

it.each([
	['sentAt, meta.requestId', { orderId: 'A-1', lines: ORDER.lines, meta: { shop: 's' } }],
	['lines.at, meta, sentAt', { orderId: 'A-1', lines: [{ sku: 'x' }, { sku: 'y' }] }],
	['orderId.deeper, nothing', ORDER],
	['meta, meta.shop', { orderId: 'A-1', sentAt: '10:00', lines: ORDER.lines }],
])('leaves out %s', (text, expected) => {
	expect(leaveOut(ORDER, paths(text))).toEqual(expected);
});

it.each([
	['orderId', { orderId: 'A-1' }],
	['lines.sku, meta.shop', { lines: [{ sku: 'x' }, { sku: 'y' }], meta: { shop: 's' } }],
	['meta, meta.shop', { meta: ORDER.meta }],
])('keeps only %s', (text, expected) => {
	expect(keepOnly(ORDER, paths(text))).toEqual(expected);
});

it.each([
	['lines.sku', true],
	['meta', true],
	['meta.shop.deeper', false],
	['lines.price', false],
	['orderID', false],
	// Members that every object inherits are none of its own.
	['constructor', false],
	['toString', false],
])('%s leads somewhere: %s', (text, expected) => {
	expect(leadsSomewhere(ORDER, paths(text)[0]!)).toBe(expected);
});

const name = fc.constantFrom('a', 'b', 'c', '__proto__');
const { json } = fc.letrec((tie) => ({
	json: fc.oneof(
		{ maxDepth: 3 },
		fc.constantFrom(null, 1, 'x', true),
		fc.array(tie('json'), { maxLength: 3 }),
		fc.dictionary(name, tie('json'), { maxKeys: 3, noNullPrototype: true }),
	),
}));
const somePaths = fc.array(fc.array(name, { minLength: 1, maxLength: 3 }), {
	minLength: 1,
	maxLength: 3,
});

it('what was left out leads nowhere, and only what was kept leads somewhere', () => {
	fc.assert(
		fc.property(json, somePaths, (value, chosen) => {
			const left = leaveOut(value, chosen);
			for (const path of chosen) expect(leadsSomewhere(left, path)).toBe(false);
			const kept = keepOnly(value, chosen);
			for (const path of chosen)
				expect(leadsSomewhere(kept, path)).toBe(leadsSomewhere(value, path));
			// Nothing is there twice: what is kept and then left out again is gone.
			for (const path of chosen) expect(leadsSomewhere(leaveOut(kept, chosen), path)).toBe(false);
		}),
	);
});

it('changes to what is left out change nothing, and changes to what is kept do', () => {
	fc.assert(
		fc.property(json, json, (before, after) => {
			const of = (a: unknown, b: unknown) => ({ chosen: a, other: b });
			expect(leaveOut(of(1, before), [['other']])).toEqual(leaveOut(of(1, after), [['other']]));
			expect(keepOnly(of(before, 1), [['chosen']])).toEqual({ chosen: before });
		}),
	);
});
