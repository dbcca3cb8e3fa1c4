/** Replays of steps picked at random, with few and with many steps in the database. */
import { fillRows, ROWS } from '../fill-rows.mjs';
import { measure } from '../measure.mjs';
import { interleave } from '../rounds.mjs';
import { startJournal } from '../stores.mjs';
import { claimOf, replay, runOfTen } from '../workload.mjs';

const FEW = 10_000;
/** Of all of many steps hardly one is asked for twice: each comes from a cold page. Retries ask for new ones. */
const AMONG = [{ among: 'any' }, { among: 'the newest 1000', newest: 1_000 }];
/** Measured: with little else running, about so many are written a second. */
const FILLED_PER_SECOND = 20_000;

export const name = 'rows';

export const secondsFor = ({ stores, rounds, seconds, rows }) =>
	stores.length * (rows / FILLED_PER_SECOND + 2 * AMONG.length * (rounds + 3) * seconds + 5);

/** The same numbers every time; evenly spread is enough. */
function randomBelow(count, seed) {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * count);
	};
}

async function startFilled(store, count, { cleanup, tell }) {
	const database = store.create(`rows_${count}`);
	const first = await startJournal(database);
	await runOfTen(first.client, ROWS, 0).finally(first.stop);
	tell(`filling ${store.name} with ${count} steps`);
	await fillRows(store.kind, database, count);
	const journal = await startJournal(database);
	cleanup.defer(() => journal.stop());
	return AMONG.map(({ among, newest }) => {
		const picked = newest ?? count;
		const next = randomBelow(picked, count);
		const index = () => count - 1 - next();
		return {
			name: nameOf(store, count, among),
			measure: (seconds) =>
				measure(1, seconds, () => replay(journal.client, claimOf(ROWS, index()))),
		};
	});
}

const nameOf = (store, count, among) => `${store.name}, ${count} rows, ${among}`;

export async function run(bench) {
	const { stores, options, tell } = bench;
	const contenders = [];
	for (const store of stores)
		for (const count of [FEW, options.rows])
			contenders.push(...(await startFilled(store, count, bench)));
	// The first replays bring the upper pages of the index into the cache.
	for (const { measure } of contenders) await measure(options.seconds * 3);
	const figures = await interleave(
		contenders.map(({ name, measure }) => ({ name, measure: () => measure(options.seconds) })),
		options.rounds,
		tell,
	);
	const p50 = (...named) => figures.get(nameOf(...named)).p50Ms;
	const ratios = stores.flatMap((store) =>
		AMONG.map(({ among }) => ({
			name: `replay p50 at ${options.rows} rows ÷ at ${FEW}, ${among}, ${store.name}`,
			value: p50(store, options.rows, among) / p50(store, FEW, among),
			unit: '×',
			atMost: 1.5,
		})),
	);
	const rows = [...figures].map(([what, figure]) => ({ what, callers: 1, ...figure }));
	return { ratios, tables: [{ title: 'Replay of steps picked at random', rows }] };
}
