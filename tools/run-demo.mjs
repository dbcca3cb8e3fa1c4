/** Starts the journal, the stand-ins and n8n with the demo workflow in it. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importDemo } from './import-demo.mjs';
import { n8nEnvironment } from './n8n-environment.mjs';
import { nodeEnvironment, nodeRuntime } from './node-runtime.mjs';
import { n8nCommand, ROOT } from './paths.mjs';
import { placePackage } from './place-package.mjs';
import { anyFreePort } from './ports.mjs';

export const local = (port) => `http://127.0.0.1:${port}`;
const answers = async (url) => (await fetch(url)).ok;

/** Address of the webhook that starts the demo workflow. */
export const demoHook = (ports) => `${local(ports.n8n)}/webhook/onboard`;

/** True when n8n has a workflow behind this webhook: it then names the methods it allows. */
async function takesPost(url) {
	const answer = await fetch(url, { method: 'OPTIONS', headers: { origin: 'http://localhost' } });
	return (answer.headers.get('access-control-allow-methods') ?? '').includes('POST');
}

/** A key of its own for people: with the one n8n has, a workflow could approve itself. */
function adminKeyIn(file) {
	if (!existsSync(file))
		writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
	return readFileSync(file, 'utf8').trim();
}

/**
 * Returns when the demo workflow can be triggered.
 * @param {ReturnType<import('./services.mjs').createServices>} services
 * @param {{
 *   ports: { n8n: number, journal: number, standIns: number },
 *   dataFolder: string, userFolder: string, logFolder: string,
 * }} where dataFolder: the journal's database and keys; userFolder: n8n's
 * @returns {Promise<{ adminKeyFile: string | undefined }>} undefined when JOURNAL_ADMIN_KEY gives the key
 */
export async function runDemo(services, { ports, dataFolder, userFolder, logFolder }) {
	const node = nodeRuntime();
	mkdirSync(dataFolder, { recursive: true });
	mkdirSync(userFolder, { recursive: true });
	const database = join(dataFolder, 'journal.db');
	const adminKeyFile = process.env.JOURNAL_ADMIN_KEY ? undefined : `${database}.admin-key`;

	services.start('The journal', node, [join(ROOT, 'service', 'dist', 'main.js')], {
		cwd: ROOT,
		env: {
			JOURNAL_HOST: '127.0.0.1',
			JOURNAL_PORT: String(ports.journal),
			JOURNAL_DATABASE: `sqlite:${database}`,
			...(adminKeyFile && { JOURNAL_ADMIN_KEY: adminKeyIn(adminKeyFile) }),
		},
		logFile: join(logFolder, 'journal.log'),
	});
	services.start('The stand-ins', node, [join(ROOT, 'examples', 'stand-ins', 'server.mjs')], {
		cwd: ROOT,
		env: { STAND_INS_PORT: String(ports.standIns) },
		logFile: join(logFolder, 'stand-ins.log'),
	});
	await services.ready('The journal', () => answers(`${local(ports.journal)}/readyz`), 20_000);
	await services.ready('The stand-ins', () => answers(`${local(ports.standIns)}/counts`), 10_000);

	const env = {
		...nodeEnvironment(),
		...n8nEnvironment({ userFolder, port: ports.n8n, brokerPort: await anyFreePort() }),
	};
	placePackage(userFolder);
	await importDemo({
		userFolder,
		env,
		journalUrl: local(ports.journal),
		standInsUrl: local(ports.standIns),
		apiKey: process.env.JOURNAL_API_KEY || readFileSync(`${database}.api-key`, 'utf8').trim(),
	});
	console.log('· Starting n8n …');
	services.start('n8n', node, [n8nCommand(), 'start'], {
		cwd: userFolder,
		env,
		logFile: join(logFolder, 'n8n.log'),
	});
	await services.ready('The demo workflow', () => takesPost(demoHook(ports)), 120_000);
	return { adminKeyFile };
}
