import { parseArgs } from 'node:util';

/** What can be measured alone with `--only`. `n8n` is run by tools/bench.mjs. */
export const PARTS = ['callers', 'runs', 'rows', 'large', 'n8n'];
export const STORES = ['sqlite', 'postgres'];

export const USAGE = `npm run bench -- [--quick] [--only ${PARTS.join(',')}] [--store ${STORES.join(',')}] [--rows 1000000] [--json]
  callers  echo, replay, step and claim-many at 1 to 256 callers
  runs     a run of ten steps, beside LangGraph, DBOS and Restate
  rows     replay with few and with many rows before
  large    small replays while results of 5 MB are written
  n8n      what the node costs inside n8n (not with --quick unless named)`;

function namesOf(text, known, option) {
	if (text === undefined) return known;
	const names = text.split(',');
	const wrong = names.find((name) => !known.includes(name));
	if (wrong !== undefined)
		throw new Error(`--${option} knows ${known.join(', ')}, not "${wrong}".`);
	return names;
}

/**
 * @param {string[]} args arguments of `npm run bench`
 * @returns parts, stores, rows (how many are many), json, and how much is measured: rounds, seconds of one measurement
 * @throws Error with one sentence for the first wrong argument
 */
export function readOptions(args) {
	const { values } = parseArgs({
		args,
		options: {
			quick: { type: 'boolean', default: false },
			json: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
			only: { type: 'string' },
			store: { type: 'string' },
			rows: { type: 'string' },
		},
	});
	const { quick, json, help } = values;
	const rows = Number(values.rows ?? (quick ? 100_000 : 1_000_000));
	if (!Number.isInteger(rows) || rows < 20_000 || rows % 10 !== 0)
		throw new Error('--rows must be a multiple of ten from 20000.');
	const parts = namesOf(values.only, PARTS, 'only').filter(
		(name) => values.only !== undefined || !quick || name !== 'n8n',
	);
	return {
		help,
		json,
		quick,
		parts,
		stores: namesOf(values.store, STORES, 'store'),
		rows,
		rounds: quick ? 2 : 5,
		seconds: quick ? 0.3 : 0.7,
	};
}
