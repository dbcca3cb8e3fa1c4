/** Small replays, alone and while results of 5 MB are claimed and completed one after another. */
import { join } from 'node:path';
import { measure } from '../measure.mjs';
import { startMeasuringProcess } from '../measuring-process.mjs';
import { interleave } from '../rounds.mjs';
import { startJournal } from '../stores.mjs';
import { claimOf, completeSteps, replay } from '../workload.mjs';

const CALLERS = [1, 16];
const COMPLETED = 4_000;
/** Enough large results in one measurement to speak of a p99. */
const SECONDS = 3;

export const name = 'large';

export const secondsFor = ({ stores, rounds, seconds }) =>
	stores.length * (CALLERS.length * rounds * seconds * (1 + SECONDS) + 5);

/** A process of its own writes: making and sending 5 MB would hold up the clock of the replays. */
async function startStore(store, { cleanup }) {
	const journal = await startJournal(store.create('large'));
	cleanup.defer(() => journal.stop());
	await completeSteps(journal.client, 'done', COMPLETED);
	const script = join(import.meta.dirname, '..', 'large-writer.mjs');
	const writer = await startMeasuringProcess(script, [
		journal.url,
		JSON.stringify(journal.headers),
	]);
	cleanup.defer(() => writer.stop());
	const small = (callers, seconds) =>
		measure(callers, seconds, (index) =>
			replay(journal.client, claimOf('done', index % COMPLETED)),
		);
	const written = [];
	return {
		written,
		alone: (callers, seconds) => small(callers, seconds),
		async beside(callers, seconds) {
			const writing = writer.ask({ seconds: seconds * SECONDS });
			const figures = await small(callers, seconds * SECONDS);
			written.push((await writing).p50Ms);
			return figures;
		},
	};
}

export async function run(bench) {
	const { stores, options, tell } = bench;
	const rows = [];
	const ratios = [];
	for (const store of stores) {
		const { alone, beside, written } = await startStore(store, bench);
		await beside(16, options.seconds);
		for (const callers of CALLERS) {
			const names = ['alone', 'while 5 MB results are written'];
			written.length = 0;
			const figures = await interleave(
				[
					{ name: names[0], measure: () => alone(callers, options.seconds) },
					{ name: names[1], measure: () => beside(callers, options.seconds) },
				],
				options.rounds,
				(text) => tell(`${store.name}, ${callers} callers, ${text}`),
			);
			for (const name of names)
				rows.push({ what: `${store.name}: replay ${name}`, callers, ...figures.get(name) });
			rows.push({
				what: `${store.name}: step with 5 MB beside them`,
				callers: 1,
				...largeStep(written),
			});
			ratios.push({
				name: `small replay p99 while 5 MB results are written, ${callers} callers, ${store.name}`,
				value: figures.get(names[1]).p99Ms,
				unit: 'ms',
				atMost: 5,
			});
		}
	}
	return { ratios, tables: [{ title: 'Small replays beside results of 5 MB', rows }] };
}

const largeStep = (p50s) => {
	const sorted = p50s.toSorted((a, b) => a - b);
	return { p50Ms: sorted[sorted.length >> 1] };
};
