/** DBOS on PostgreSQL: a workflow of ten steps, in this process as its applications have it. */
import { DBOS } from '@dbos-inc/dbos-sdk';
import pg from 'pg';
import { answerRequests } from '../answer-requests.mjs';
import { measure } from '../measure.mjs';

const [url] = process.argv.slice(2);
const text = 'x'.repeat(1_000);
const STEPS = 10;

const run = DBOS.registerWorkflow(
	async () => {
		for (let at = 0; at < STEPS; at++) await DBOS.runStep(async () => text, { name: `step-${at}` });
	},
	{ name: 'run' },
);
DBOS.setConfig({
	name: 'bench',
	systemDatabaseUrl: url,
	// Tried 10 (its default), 20 and 50: the same within the noise, 20 a little ahead.
	systemDatabasePoolSize: 20,
	applicationVersion: '1',
	logLevel: 'error',
});
await DBOS.launch();

await run();
const client = new pg.Client(url);
await client.connect();
const { rows } = await client.query('SELECT count(*)::int AS count FROM dbos.operation_outputs');
await client.end();
if (rows[0].count !== STEPS) throw new Error(`DBOS stored ${rows[0].count} of ${STEPS} results`);

answerRequests('ready', ({ callers, seconds }) => measure(callers, seconds, run));
