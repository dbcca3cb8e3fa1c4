/** Other durable executors on the same machine, in the same run, each at full durability. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startMeasuringProcess } from '../measuring-process.mjs';
import { PEER } from '../parts/ratios-of-runs.mjs';
import { hasRestate, startRestate } from './start-restate.mjs';

const here = import.meta.dirname;

async function startLibrary(name, script, args, cleanup) {
	const library = await startMeasuringProcess(join(here, script), args);
	cleanup.defer(() => library.stop());
	return { name, measure: (callers, seconds) => library.ask({ callers, seconds }) };
}

/**
 * @returns contenders `{ name, measure(callers, seconds) }` of a run of ten steps, and the versions;
 *   none where they are not installed
 */
export async function startPeers({ folder, stores, cleanup, tell }) {
	if (!existsSync(join(here, 'node_modules'))) {
		tell('the peers are not installed: left out');
		return { contenders: [], versions: {} };
	}
	const contenders = [];
	const start = async (name, begin) => {
		tell(`starting ${name}`);
		contenders.push(await begin());
	};
	for (const way of ['graph', 'functional'])
		await start(PEER[way], () =>
			startLibrary(PEER[way], 'langgraph.mjs', [join(folder, `langgraph-${way}.db`), way], cleanup),
		);
	const postgres = stores.find(({ kind }) => kind === 'postgres');
	if (postgres)
		await start(PEER.dbos, () =>
			startLibrary(PEER.dbos, 'dbos.mjs', [postgres.url('dbos')], cleanup),
		);
	if (!hasRestate()) tell('Restate has no server for this platform: left out');
	else
		for (const [name, partitions] of [
			[PEER.restate, undefined],
			[PEER.onePartition, 1],
		])
			await start(name, async () => ({
				name,
				measure: await startRestate(folder, partitions, cleanup),
			}));
	return { contenders, versions: installedVersions() };
}

const installedVersions = () =>
	JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')).dependencies;
