/** `npm run bench`: measures the journal beside its peers, then the node inside n8n. `--help` names the options. */
import { Console } from 'node:console';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readOptions, USAGE } from '../test/bench/options.mjs';
import { ensureBenchPeers } from './ensure-bench-peers.mjs';
import { ensureBuild } from './ensure-build.mjs';
import { ensureInstall } from './ensure-install.mjs';
import { ensureN8n } from './ensure-n8n.mjs';
import { ensurePostgres } from './ensure-postgres.mjs';
import { Explained, main } from './explained.mjs';
import { nodeEnvironment, nodeRuntime } from './node-runtime.mjs';
import { ROOT } from './paths.mjs';

// Standard output is for the report alone.
globalThis.console = new Console(process.stderr);

const bench = (...path) => join(ROOT, 'test', 'bench', ...path);
const run = (args, stdout = 'inherit') =>
	spawnSync(nodeRuntime(), args, {
		cwd: ROOT,
		stdio: ['inherit', stdout, 'inherit'],
		env: { ...process.env, ...nodeEnvironment() },
	}).status ?? 1;

main(async () => {
	let options;
	try {
		options = readOptions(process.argv.slice(2));
	} catch (error) {
		throw new Explained(`${error.message}\n\n${USAGE}`);
	}
	if (options.help) return void process.stdout.write(`${USAGE}\n`);
	const wants = (part) => options.parts.includes(part);
	await ensureInstall();
	await ensureBuild();
	if (options.stores.includes('postgres')) await ensurePostgres();
	if (wants('runs')) await ensureBenchPeers();
	let failed = 0;
	if (options.parts.some((part) => part !== 'n8n'))
		failed = run([bench('main.mjs'), ...process.argv.slice(2)]);
	if (wants('n8n')) {
		await ensureN8n();
		const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
		// With --json the one document on standard output is the other's.
		const stdout = options.json ? 2 : 'inherit';
		failed ||= run([jest, `--config=${bench('jest.config.js')}`, '--forceExit'], stdout);
	}
	process.exitCode = failed;
});
