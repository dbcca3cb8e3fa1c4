/**
 * `npm run bench`: what a step costs over HTTP with every commit on the disk (synchronous=FULL),
 * beside a bare node:http echo in the same run. A table for people, `--json` for programs.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jsonClient } from './http-client.mjs';
import { measure } from './measure.mjs';
import { freePort, startServer } from './server-process.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const CALLERS = [1, 16, 64];
const STEPS = 8_000;
const REPLAYS = 20_000;
const RESULT = { text: 'x'.repeat(1_000) };

const folder = mkdtempSync(join(tmpdir(), 'durable-bench-'));
const key = 'bench-key-of-16-characters';
const journalPort = await freePort();
const echoPort = await freePort();
const journalUrl = `http://127.0.0.1:${journalPort}`;
const echoUrl = `http://127.0.0.1:${echoPort}`;
const echoClient = jsonClient(echoUrl);
const journalClient = jsonClient(journalUrl, { authorization: `Bearer ${key}` });
const servers = [
	await startServer(join(here, 'echo-server.mjs'), [String(echoPort)], {}, async () => {
		return (await echoClient.post('/', {})).status === 200;
	}),
	await startServer(
		join(here, '../../service/dist/main.js'),
		[],
		{
			JOURNAL_PORT: String(journalPort),
			JOURNAL_DATABASE: `sqlite:${join(folder, 'journal.db')}`,
			JOURNAL_API_KEY: key,
			JOURNAL_LOG_LEVEL: 'error',
		},
		async () => (await fetch(`${journalUrl}/readyz`)).ok,
	),
];

let runs = 0;
const claim = (run, index) => ({
	runId: `bench-${run}-${Math.floor(index / 10)}`,
	step: `step-${index % 10}`,
	input: { index, amount: 490 },
	slot: `workflow/node-${index % 10}#0.0`,
});
async function post(client, path, body) {
	const answer = await client.post(path, body);
	if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body}`);
	return answer.body;
}
async function step(run, index) {
	const claimed = JSON.parse(await post(journalClient, '/v1/steps/claim', claim(run, index)));
	await post(journalClient, `/v1/steps/${claimed.key}/complete`, {
		fencingToken: claimed.fencingToken,
		result: RESULT,
	});
}

const rows = [];
await measure(16, 2_000, (index) => step('warm', index));
for (const callers of CALLERS) {
	const run = runs++;
	const echo = await measure(callers, REPLAYS, () => post(echoClient, '/', claim(run, 0)));
	const full = await measure(callers, STEPS, (index) => step(run, index));
	const replay = await measure(callers, REPLAYS, (index) =>
		post(journalClient, '/v1/steps/claim', claim(run, index % STEPS)),
	);
	rows.push({ what: 'echo (bare node:http)', ...echo });
	rows.push({ what: 'replay', ...replay });
	rows.push({ what: 'step (claim + complete)', ...full });
}
echoClient.close();
journalClient.close();
await Promise.all(servers.map((server) => server.stop()));
rmSync(folder, { recursive: true });

if (process.argv.includes('--json')) console.log(JSON.stringify(rows, null, 2));
else
	console.table(
		rows.map(({ what, callers, p50Ms, p99Ms, perSecond }) => ({
			what,
			callers,
			'p50 ms': p50Ms.toFixed(3),
			'p99 ms': p99Ms.toFixed(3),
			'per second': Math.round(perSecond),
		})),
	);
