/** Echo, replay, step and claim-many, at few and at many callers. */
import { join } from 'node:path';
import { jsonClient } from '../http-client.mjs';
import { measure } from '../measure.mjs';
import { interleave } from '../rounds.mjs';
import { freePort, startScript } from '../server-process.mjs';
import { startJournal } from '../stores.mjs';
import { claimMany, claimOf, completeSteps, replay, step } from '../workload.mjs';

const CALLERS = [1, 16, 64, 256];
const COMPLETED = 4_000;
const CLAIMS_A_CALL = 100;

export const name = 'callers';

/** At 256 callers a call of claim-many outlasts its measurement: hence the fixed part. */
export const secondsFor = ({ stores, rounds, seconds }) =>
	CALLERS.length * rounds * seconds * (1 + 3 * stores.length) + stores.length * (5 + 5 * rounds);

async function startEcho(cleanup) {
	const port = await freePort();
	const client = jsonClient(`http://127.0.0.1:${port}`);
	const ready = async () => (await client.post('/', {})) === '{}';
	const script = join(import.meta.dirname, '..', 'echo-server.mjs');
	const echo = await startScript(script, [String(port)], ready);
	cleanup.defer(() => echo.stop());
	cleanup.defer(() => client.close());
	return client;
}

/** What is measured of one journal; every measurement has steps of its own. */
function operationsOf(store, client) {
	let measured = 0;
	const fresh = (operation) => (callers, seconds) => {
		const prefix = `${operation.name}-${measured++}`;
		return measure(callers, seconds, (index) => operation(prefix, index));
	};
	return [
		{
			what: 'replay',
			run: (callers, seconds) =>
				measure(callers, seconds, (index) => replay(client, claimOf('done', index % COMPLETED))),
		},
		{
			what: 'step (claim + complete)',
			run: fresh(function step_(prefix, index) {
				return step(client, claimOf(prefix, index));
			}),
		},
		{
			what: `claim-many, ${CLAIMS_A_CALL} a call`,
			perOperation: CLAIMS_A_CALL,
			run: fresh(function many(prefix, index) {
				return claimMany(client, prefix, index, CLAIMS_A_CALL);
			}),
		},
	].map((operation) => ({ ...operation, store: store.name }));
}

export async function run({ stores, options, cleanup, tell }) {
	const echoClient = await startEcho(cleanup);
	const operations = [
		{
			what: 'echo (bare node:http)',
			run: (callers, seconds) =>
				measure(callers, seconds, (index) => echoClient.post('/', claimOf('echo', index))),
		},
	];
	for (const store of stores) {
		const journal = await startJournal(store.create('callers'));
		cleanup.defer(() => journal.stop());
		await completeSteps(journal.client, 'done', COMPLETED);
		operations.push(...operationsOf(store, journal.client));
	}
	const label = ({ what, store }) => (store ? `${store}: ${what}` : what);
	for (const operation of operations) await operation.run(16, options.seconds);

	const rows = [];
	for (const callers of CALLERS) {
		const figures = await interleave(
			operations.map((operation) => ({
				name: label(operation),
				measure: () => operation.run(callers, options.seconds),
			})),
			options.rounds,
			(text) => tell(`${callers} callers, ${text}`),
		);
		for (const operation of operations) {
			const { perSecond, ...times } = figures.get(label(operation));
			const perOperation = operation.perOperation ?? 1;
			rows.push({ what: label(operation), callers, ...times, perSecond: perSecond * perOperation });
		}
	}
	const p50 = (what) => rows.find((row) => row.callers === 1 && row.what === what).p50Ms;
	const ratios = stores.map((store) => ({
		name: `replay p50 at 1 caller ÷ echo, ${store.name}`,
		value: p50(`${store.name}: replay`) / p50('echo (bare node:http)'),
		unit: '×',
		atMost: 1.3,
	}));
	return { ratios, tables: [{ title: 'Over HTTP, 1 KB results', rows }] };
}
