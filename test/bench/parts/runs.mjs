/** A run of ten steps with 1 KB results, one after another and from many callers, beside the peers. */
import { measure } from '../measure.mjs';
import { startPeers } from '../peers/start-peers.mjs';
import { interleave } from '../rounds.mjs';
import { startJournal } from '../stores.mjs';
import { runOfTen, STEPS_OF_A_RUN } from '../workload.mjs';
import { ratiosOfRuns } from './ratios-of-runs.mjs';

const CALLERS = [1, 16, 64];
/** A run takes ten times as long as a step. */
const SECONDS = 2;
const PEERS = 5;

export const name = 'runs';

export const secondsFor = ({ stores, rounds, seconds }) =>
	(CALLERS.length * rounds + 1) * seconds * SECONDS * (PEERS + stores.length) + 15;

async function startOurs(store, cleanup) {
	const journal = await startJournal(store.create('runs'));
	cleanup.defer(() => journal.stop());
	let measured = 0;
	return {
		name: `journal, ${store.name}`,
		measure(callers, seconds) {
			const prefix = `run-${measured++}`;
			return measure(callers, seconds, (index) => runOfTen(journal.client, prefix, index));
		},
	};
}

export async function run(bench) {
	const { stores, options, cleanup, tell } = bench;
	const seconds = options.seconds * SECONDS;
	const peers = await startPeers(bench);
	const contenders = [...peers.contenders];
	// Ours between theirs, so that neither has the quieter half of a round.
	for (const store of stores) contenders.splice(1, 0, await startOurs(store, cleanup));
	for (const contender of contenders) {
		tell(`warming up ${contender.name}`);
		await contender.measure(16, seconds);
	}
	const rows = [];
	for (const callers of CALLERS) {
		const figures = await interleave(
			contenders.map((contender) => ({
				name: contender.name,
				measure: () => contender.measure(callers, seconds),
			})),
			options.rounds,
			(text) => tell(`${callers} callers, ${text}`),
		);
		for (const [what, { perSecond, ...times }] of figures)
			rows.push({ what, callers, ...times, perSecond: perSecond * STEPS_OF_A_RUN });
	}
	return {
		ratios: ratiosOfRuns(rows),
		tables: [{ title: 'Runs of ten steps: time of a run, steps per second', rows }],
		peers: peers.versions,
	};
}
