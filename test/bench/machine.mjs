import { closeSync, fdatasyncSync, openSync, statfsSync, writeSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { median } from './rounds.mjs';

const TMPFS = 0x01021994;
const SYNCS = 200;

/** Milliseconds that 4 KB take to reach the disk. */
function syncMs(folder) {
	const file = openSync(join(folder, 'sync'), 'w');
	const page = Buffer.alloc(4_096, 1);
	const times = Array.from({ length: SYNCS }, () => {
		const start = performance.now();
		writeSync(file, page);
		fdatasyncSync(file);
		return performance.now() - start;
	});
	closeSync(file);
	return median(times);
}

/** What figures depend on. `folder` is where the databases lie. */
export const describeMachine = (folder) => ({
	cores: availableParallelism(),
	model: cpus()[0].model.trim(),
	node: process.versions.node,
	syncMs: syncMs(folder),
	loadAtStart: loadavg()[0],
});

/** A file system in memory syncs nothing, so that durability would be free. */
export const isInMemory = (folder) => statfsSync(folder).type === TMPFS;
