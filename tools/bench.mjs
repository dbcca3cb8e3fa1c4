/** `npm run bench`: measures the journal, then the node inside n8n. Arguments go to the first. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuild } from './ensure-build.mjs';
import { ensureInstall } from './ensure-install.mjs';
import { ensureN8n } from './ensure-n8n.mjs';
import { main } from './explained.mjs';
import { nodeEnvironment, nodeRuntime } from './node-runtime.mjs';
import { ROOT } from './paths.mjs';

main(async () => {
	await ensureInstall();
	await ensureBuild();
	await ensureN8n();
	const run = (...args) =>
		spawnSync(nodeRuntime(), args, {
			cwd: ROOT,
			stdio: 'inherit',
			env: { ...process.env, ...nodeEnvironment() },
		}).status ?? 1;
	const bench = (...path) => join(ROOT, 'test', 'bench', ...path);
	const inJournal = run(bench('main.mjs'), ...process.argv.slice(2));
	const inN8n = run(
		join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'),
		`--config=${bench('jest.config.js')}`,
		'--forceExit',
	);
	process.exitCode = inJournal || inN8n;
});
