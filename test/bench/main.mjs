/**
 * `npm run bench`: what a step costs over HTTP with every commit on the disk, beside a bare node:http
 * echo and beside other durable executors, in one run. The report for people, `--json` for programs;
 * progress goes to stderr.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { postgresBin } from '../../tools/ensure-postgres.mjs';
import { describeMachine, isInMemory } from './machine.mjs';
import { readOptions } from './options.mjs';
import * as callers from './parts/callers.mjs';
import * as large from './parts/large.mjs';
import * as rows from './parts/rows.mjs';
import * as runs from './parts/runs.mjs';
import { report } from './report.mjs';
import { sqliteStore, startPostgresStore } from './stores.mjs';

const options = readOptions(process.argv.slice(2));
const parts = [callers, runs, rows, large].filter(({ name }) => options.parts.includes(name));
const began = performance.now();
const tell = (text) =>
	process.stderr.write(
		`[${String(Math.round((performance.now() - began) / 1_000)).padStart(4)} s] ${text}\n`,
	);

const folder = mkdtempSync(join(tmpdir(), 'durable-bench-'));
const cleanup = new AsyncDisposableStack();
cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
let interrupted;
process.once('SIGINT', () => {
	interrupted = cleanup.disposeAsync().finally(() => process.exit(130));
});

async function startStores(notes) {
	const stores = [];
	if (options.stores.includes('sqlite')) stores.push(sqliteStore(folder));
	if (options.stores.includes('postgres')) {
		if (postgresBin()) stores.push(await startPostgresStore(cleanup));
		else notes.push('PostgreSQL is not installed: it and DBOS are left out.');
	}
	return stores;
}

/** Each part has its own processes, which end with it. */
async function runPart(part, stores) {
	const own = new AsyncDisposableStack();
	cleanup.use(own);
	try {
		return await part.run({
			stores,
			options,
			folder,
			cleanup: own,
			tell: (text) => tell(`${part.name}: ${text}`),
		});
	} finally {
		await own.disposeAsync();
	}
}

try {
	const notes = isInMemory(folder)
		? [`${folder} is in memory, where a sync costs nothing: set TMPDIR to a folder on a disk.`]
		: [];
	const machine = describeMachine(folder);
	const stores = await startStores(notes);
	machine.postgres = stores.find(({ kind }) => kind === 'postgres')?.version;
	const estimate = parts.reduce((sum, part) => sum + part.secondsFor({ ...options, stores }), 0);
	const n8n = options.parts.includes('n8n') ? ', and two more inside n8n' : '';
	tell(
		`this takes about ${Math.ceil(estimate / 60)} minutes on a quiet machine of two cores${n8n}`,
	);
	const results = [];
	for (const part of parts)
		try {
			results.push(await runPart(part, stores));
		} catch (error) {
			// The part lost its processes; this one ends when all of them have.
			await interrupted;
			// Ten minutes of the other parts are worth keeping.
			console.error(error);
			notes.push(`${part.name} failed: ${error.message}`);
			process.exitCode = 1;
		}
	const whole = {
		machine,
		options,
		notes,
		peers: Object.assign({}, ...results.map(({ peers }) => peers)),
		ratios: results.flatMap(({ ratios }) => ratios),
		tables: results.flatMap(({ tables }) => tables),
	};
	tell('done');
	process.stdout.write(`${options.json ? JSON.stringify(whole, null, 2) : report(whole)}\n`);
} finally {
	await cleanup.disposeAsync();
}
