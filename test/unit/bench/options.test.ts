import { readOptions } from '../../bench/options.mjs';

test('everything is measured unless something is named', () => {
	expect(readOptions([])).toMatchObject({
		parts: ['callers', 'runs', 'rows', 'large', 'n8n'],
		stores: ['sqlite', 'postgres'],
		rows: 1_000_000,
		rounds: 5,
	});
	expect(
		readOptions(['--only', 'rows,n8n', '--store', 'sqlite', '--rows', '5000000']),
	).toMatchObject({
		parts: ['rows', 'n8n'],
		stores: ['sqlite'],
		rows: 5_000_000,
	});
});

test('a quick run leaves n8n out unless it is named', () => {
	expect(readOptions(['--quick']).parts).not.toContain('n8n');
	expect(readOptions(['--quick', '--only', 'n8n']).parts).toEqual(['n8n']);
});

test.each([
	['--only', 'row'],
	['--store', 'mysql'],
	['--rows', '15'],
	['--rows', '20001'],
	['--slow'],
])('%s %s is refused', (...args) => {
	expect(() => readOptions(args)).toThrow();
});
