/**
 * `npm run soak [--minutes N] [--seed S] [--only model|crash|gates]`: what `npm test` does a little of, for
 * long: random histories against the model, kills at named points, and a hundred thousand open gates,
 * on both stores.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuild } from './ensure-build.mjs';
import { ensureInstall } from './ensure-install.mjs';
import { ensurePostgres } from './ensure-postgres.mjs';
import { Explained, main } from './explained.mjs';
import { nodeEnvironment, nodeRuntime } from './node-runtime.mjs';
import { ROOT } from './paths.mjs';

const PARTS = ['model', 'crash', 'gates'];
const STORES = 2;

main(async () => {
	const { values } = parseArgs({
		options: {
			minutes: { type: 'string', default: '60' },
			seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
			only: { type: 'string' },
		},
	});
	const { minutes, seed, only } = values;
	if (!(Number(minutes) > 0) || !Number.isInteger(Number(seed)))
		throw new Explained('--minutes takes a number above 0, --seed an integer.');
	if (only !== undefined && !PARTS.includes(only))
		throw new Explained(`--only takes ${PARTS.join(', ')}.`);
	await ensureInstall();
	await ensureBuild();
	await ensurePostgres();
	const parts = only ? [only] : PARTS;
	console.log(`Soaking for ${minutes} minutes, seed ${seed}.`);
	const { status } = spawnSync(
		nodeRuntime(),
		[
			join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'),
			`--config=${join(ROOT, 'test', 'soak', 'jest.config.js')}`,
			'--runInBand',
			'--forceExit',
			...parts.map((part) => `${part}\\.soak`),
		],
		{
			cwd: ROOT,
			stdio: 'inherit',
			env: {
				...process.env,
				...nodeEnvironment(),
				SOAK_MINUTES: String(Number(minutes) / parts.length / STORES),
				SOAK_SEED: seed,
			},
		},
	);
	process.exitCode = status ?? 1;
});
