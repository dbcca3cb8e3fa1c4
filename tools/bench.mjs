/** `npm run bench`: builds, then measures. Arguments go to the measurement. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuild } from './ensure-build.mjs';
import { ensureInstall } from './ensure-install.mjs';
import { main } from './explained.mjs';
import { nodeEnvironment, nodeRuntime } from './node-runtime.mjs';
import { ROOT } from './paths.mjs';

main(async () => {
	await ensureInstall();
	await ensureBuild();
	const { status } = spawnSync(
		nodeRuntime(),
		[join(ROOT, 'test', 'bench', 'main.mjs'), ...process.argv.slice(2)],
		{ cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...nodeEnvironment() } },
	);
	process.exitCode = status ?? 1;
});
