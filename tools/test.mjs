/** `npm test`: installs and builds what the tests need, then runs all of them. Arguments go to jest. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuild } from './ensure-build.mjs';
import { ensureChromium } from './ensure-chromium.mjs';
import { ensureInstall } from './ensure-install.mjs';
import { ensureN8n } from './ensure-n8n.mjs';
import { ensurePostgres } from './ensure-postgres.mjs';
import { main } from './explained.mjs';
import { nodeEnvironment, nodeRuntime } from './node-runtime.mjs';
import { ROOT } from './paths.mjs';

const jest = (node, args) =>
	new Promise((resolve, reject) => {
		const child = spawn(node, [join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'), ...args], {
			cwd: ROOT,
			env: { ...process.env, ...nodeEnvironment() },
			stdio: 'inherit',
		});
		for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
		child.on('error', reject);
		child.on('close', (code) => resolve(code ?? 1));
	});

async function test() {
	await ensureInstall();
	const node = nodeRuntime();
	await ensureBuild();
	await ensureN8n();
	await ensureChromium();
	await ensurePostgres();
	const folder = mkdtempSync(join(tmpdir(), 'durable-test-'));
	try {
		const report = join(folder, 'report.json');
		// One after the other: processes are killed and waits are measured, and a machine may have two cores.
		const code = await jest(node, [
			'--runInBand',
			// A test file that fails while it starts its processes must not keep the run from ending.
			'--forceExit',
			'--json',
			`--outputFile=${report}`,
			...process.argv.slice(2),
		]);
		if (existsSync(report)) {
			const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
				readFileSync(report, 'utf8'),
			);
			// A file that could not be loaded has failed too, though none of its tests ran.
			console.log(
				`\n${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed`,
			);
		}
		process.exitCode = code;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

main(test);
