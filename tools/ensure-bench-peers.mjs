/** Installs the durable executors that the bench measures beside the journal, in a folder of their own. */
import { join } from 'node:path';
import { installed } from './ensure-install.mjs';
import { nodeEnvironment } from './node-runtime.mjs';
import { ROOT } from './paths.mjs';
import { runNpm } from './run-command.mjs';

const FOLDER = join(ROOT, 'test', 'bench', 'peers');

export async function ensureBenchPeers() {
	if (installed(FOLDER)) return;
	await runNpm(
		'Installing the peers of the bench (once, 340 MB)',
		['ci', '--no-progress', '--loglevel=error'],
		{ cwd: FOLDER, env: nodeEnvironment(), quiet: true, hint: 'Is the network reachable?' },
	);
}
