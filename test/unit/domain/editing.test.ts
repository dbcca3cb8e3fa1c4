import fc from 'fast-check';
import { editableFields, judgeEdits, refuseEditable } from '../../../service/domain/editing';

const INPUT = { amount: 1200, note: 'As agreed', urgent: false, customer: 'Acme' };
const EDITABLE = {
	properties: {
		amount: { type: 'number', title: 'Amount', maximum: 5000, minimum: 0 },
		note: { type: 'string', maxLength: 20 },
		urgent: { type: 'boolean' },
		speed: { enum: ['low', 'high'] },
		by: { type: 'string', format: 'date' },
	},
	required: ['amount'],
};

test.each<[string, unknown, unknown, string]>([
	['a list as input', EDITABLE, [INPUT], ''],
	['a value as input', EDITABLE, 1200, ''],
	['no properties', { type: 'object' }, INPUT, '/properties'],
	['empty properties', { properties: {} }, INPUT, '/properties'],
	[
		'a schema of a text',
		{ type: 'string', properties: { a: { type: 'string' } } },
		INPUT,
		'/properties',
	],
	['an object in it', { properties: { a: { type: 'object' } } }, INPUT, '/properties/a'],
	['a list in it', { properties: { a: { type: 'array' } } }, INPUT, '/properties/a'],
	['several types', { properties: { a: { type: ['string', 'null'] } } }, INPUT, '/properties/a'],
	['no type', { properties: { 'a/b': {} } }, INPUT, '/properties/a~1b'],
	['an empty choice', { properties: { a: { enum: [] } } }, INPUT, '/properties/a'],
	['a choice of objects', { properties: { a: { enum: [{}] } } }, INPUT, '/properties/a'],
	['a reference', { properties: { a: { type: 'string', $ref: '#/x' } } }, INPUT, ''],
	['a broken pattern', { properties: { note: { type: 'string', pattern: '(' } } }, INPUT, ''],
])('%s makes no form', (_, editable, input, pointer) =>
	expect(refuseEditable(editable, input)).toEqual([{ pointer, detail: expect.any(String) }]),
);

test('a form has the fields of the schema with what the input has', () => {
	expect(refuseEditable(EDITABLE, INPUT)).toEqual([]);
	expect(
		editableFields(EDITABLE, INPUT).map(({ name, label, kind, value, required, maximum }) => [
			name,
			label,
			kind,
			value,
			required,
			maximum,
		]),
	).toEqual([
		['amount', 'Amount', 'number', 1200, true, 5000],
		['note', 'note', 'text', 'As agreed', false, undefined],
		['urgent', 'urgent', 'boolean', false, false, undefined],
		['speed', 'speed', 'choice', undefined, false, undefined],
		['by', 'by', 'date', undefined, false, undefined],
	]);
});

test.each([
	['a'.repeat(81), {}, 'lines'],
	['two\nlines', {}, 'lines'],
	['short', { maxLength: 2000 }, 'lines'],
	['short', { maxLength: 40 }, 'text'],
	['a@b.example', { format: 'email' }, 'email'],
])('%j with %j is edited as %s', (value, rule, kind) => {
	const editable = { properties: { note: { type: 'string', ...rule } } };
	expect(editableFields(editable, { note: value })[0]).toMatchObject({ kind });
});

test('only what changed is an edit, and the difference says from what to what', () => {
	const given = { amount: 900, note: 'As agreed', urgent: true, speed: 'high' };
	expect(judgeEdits(EDITABLE, INPUT, given)).toEqual({
		edits: { amount: 900, urgent: true, speed: 'high' },
		difference: [
			{ pointer: '/amount', before: 1200, after: 900 },
			{ pointer: '/urgent', before: false, after: true },
			{ pointer: '/speed', after: 'high' },
		],
	});
});

test.each([
	[{ customer: 'Other' }, '/customer'],
	[{ amount: 5001 }, '/amount'],
	[{ amount: '900' }, '/amount'],
	[{ amount: null }, '/amount'],
	[{ note: 'x'.repeat(21) }, '/note'],
	[{ speed: 'warp' }, '/speed'],
	[{ by: '2027-02-30' }, '/by'],
	[{ amount: Number.MAX_SAFE_INTEGER + 1 }, '/amount'],
	[[], ''],
	['amount', ''],
	[null, ''],
])('%j is refused where it is wrong', (given, pointer) => {
	const judged = judgeEdits(EDITABLE, INPUT, given);
	expect(judged).toMatchObject({ errors: expect.any(Array) });
	expect('errors' in judged && judged.errors.map((error) => error.pointer)).toContain(pointer);
});

test('names that objects have by themselves are members like others', () => {
	const editable = {
		properties: JSON.parse(
			'{ "__proto__": { "type": "string" }, "constructor": { "type": "string" } }',
		),
	};
	const input = JSON.parse('{ "__proto__": "a", "constructor": "b" }');
	expect(refuseEditable(editable, input)).toEqual([]);
	expect(editableFields(editable, input).map(({ value }) => value)).toEqual(['a', 'b']);
	expect(judgeEdits(editable, {}, { toString: 'x' })).toMatchObject({
		errors: [{ pointer: '/toString' }],
	});
});

test('whatever is taken keeps to the schema, and nothing else changes', () => {
	fc.assert(
		fc.property(
			fc.record(
				{ amount: fc.oneof(fc.integer({ min: -10, max: 6000 }), fc.string()), note: fc.string() },
				{ requiredKeys: [] },
			),
			(given) => {
				const judged = judgeEdits(EDITABLE, INPUT, given);
				if ('errors' in judged) return;
				const after = { ...INPUT, ...judged.edits };
				expect(typeof after.amount).toBe('number');
				expect(after.amount).toBeLessThanOrEqual(5000);
				expect(after.customer).toBe('Acme');
				for (const name of Object.keys(judged.edits))
					expect((given as any)[name]).not.toEqual((INPUT as any)[name]);
			},
		),
	);
});
