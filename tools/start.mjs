/**
 * `npm start`: installs what is missing, builds, and runs the journal, the stand-ins and a real n8n with
 * the demo workflow. Ports: N8N_PORT (5678), JOURNAL_PORT (5690), STAND_INS_PORT (5700).
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuild } from './ensure-build.mjs';
import { ensureInstall } from './ensure-install.mjs';
import { ensureN8n } from './ensure-n8n.mjs';
import { Explained, main } from './explained.mjs';
import { importDemo } from './import-demo.mjs';
import { n8nEnvironment } from './n8n-environment.mjs';
import { nodeEnvironment, nodeRuntime } from './node-runtime.mjs';
import { n8nCommand, ROOT, RUNTIME } from './paths.mjs';
import { placePackage } from './place-package.mjs';
import { anyFreePort, portOf, requireFree } from './ports.mjs';
import { createServices } from './services.mjs';

const DATA = join(ROOT, 'data');
const LOGS = join(RUNTIME, 'logs');
const ADMIN_KEY_FILE = join(DATA, 'admin-key');

const local = (port) => `http://127.0.0.1:${port}`;
const answers = async (url) => (await fetch(url)).ok;

/** Deciding needs a key that n8n does not have, or a workflow could approve itself. */
function adminKey() {
	if (process.env.JOURNAL_ADMIN_KEY) return process.env.JOURNAL_ADMIN_KEY;
	if (!existsSync(ADMIN_KEY_FILE))
		writeFileSync(ADMIN_KEY_FILE, randomBytes(24).toString('base64url'), { mode: 0o600 });
	return readFileSync(ADMIN_KEY_FILE, 'utf8').trim();
}

/** The journal reads this file itself; here it is needed for ports and keys. */
function readEnvironmentFile(file) {
	if (!existsSync(file)) return;
	if (!process.loadEnvFile)
		throw new Explained(
			`Reading ${file} needs Node.js 20.12 or newer; this is ${process.version}.`,
		);
	process.loadEnvFile(file);
}

async function start() {
	readEnvironmentFile(join(ROOT, '.env'));
	const ports = {
		n8n: portOf('N8N_PORT', 5678),
		journal: portOf('JOURNAL_PORT', 5690),
		standIns: portOf('STAND_INS_PORT', 5700),
	};
	await requireFree([
		{ what: 'n8n', variable: 'N8N_PORT', port: ports.n8n },
		{ what: 'the journal', variable: 'JOURNAL_PORT', port: ports.journal },
		{ what: 'the stand-ins', variable: 'STAND_INS_PORT', port: ports.standIns },
	]);
	await ensureInstall();
	const node = nodeRuntime();
	await ensureBuild();
	await ensureN8n();

	const services = createServices();
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
		process.on(signal, () => {
			console.log('\nStopping …');
			services.stop().then(() => process.exit(0));
		});
	try {
		await run(services, node, ports);
	} finally {
		await services.stop();
	}
}

async function run(services, node, ports) {
	const userFolder = join(RUNTIME, 'home');
	mkdirSync(DATA, { recursive: true });
	mkdirSync(userFolder, { recursive: true });
	const database = join(DATA, 'journal.db');

	services.start('The journal', node, [join(ROOT, 'service', 'dist', 'main.js')], {
		cwd: ROOT,
		env: {
			JOURNAL_HOST: '127.0.0.1',
			JOURNAL_PORT: String(ports.journal),
			JOURNAL_DATABASE: `sqlite:${database}`,
			JOURNAL_ADMIN_KEY: adminKey(),
		},
		logFile: join(LOGS, 'journal.log'),
	});
	services.start('The stand-ins', node, [join(ROOT, 'examples', 'stand-ins', 'server.mjs')], {
		cwd: ROOT,
		env: { STAND_INS_PORT: String(ports.standIns) },
		logFile: join(LOGS, 'stand-ins.log'),
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
		logFile: join(LOGS, 'n8n.log'),
	});
	const hook = `${local(ports.n8n)}/webhook/onboard`;
	await services.ready('The demo workflow', () => takesPost(hook), 120_000);
	console.log(greeting(ports, hook));
	await services.ended;
}

/** True when n8n has a workflow behind this webhook: it then names the methods it allows. */
async function takesPost(url) {
	const answer = await fetch(url, { method: 'OPTIONS', headers: { origin: 'http://localhost' } });
	return (answer.headers.get('access-control-allow-methods') ?? '').includes('POST');
}

const greeting = (ports, hook) => `
  n8n editor            ${local(ports.n8n)}
                        (the first visit makes your owner account; the workflow is "Onboard a customer in ten steps")
  What really happened  ${local(ports.standIns)}
  Approve or reject     ${local(ports.journal)}/inbox
                        (its key: ${process.env.JOURNAL_ADMIN_KEY ? 'JOURNAL_ADMIN_KEY' : ADMIN_KEY_FILE})

  Try it:

  curl -X POST ${hook} -H 'Content-Type: application/json' \\
    -d '{"orderId":"A-1001","company":"Acme SL","taxId":"B12345678","email":"billing@example.com","amount":490}'

  Logs: ${LOGS}
  Ctrl-C stops all of it; npm start goes on where it was.
`;

main(start);
