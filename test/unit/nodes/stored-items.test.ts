import { toItems } from '../../../nodes/shared/stored-items';

it.each<[string, unknown, unknown]>([
	[
		'a step’s own result',
		[{ json: { a: 1 } }, { json: {}, binary: {} }],
		[{ json: { a: 1 } }, { json: {}, binary: {} }],
	],
	['no items', [], [{ json: {} }]],
	['an object by a person', { invoice: 7 }, [{ json: { invoice: 7 } }]],
	['a list by a person', [1, 'b'], [{ json: { result: 1 } }, { json: { result: 'b' } }]],
	['a number', 7, [{ json: { result: 7 } }]],
	['false', false, [{ json: { result: false } }]],
	['null', null, [{ json: {} }]],
	['nothing', undefined, [{ json: {} }]],
	[
		'an object that n8n would take for a failure',
		{ error: 'x' },
		[{ json: { result: { error: 'x' } } }],
	],
])('%s', (_what, result, items) => {
	expect(toItems(result)).toEqual(items);
});
