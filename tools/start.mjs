/**
 * `npm start`: installs what is missing, builds, and runs the journal, the stand-ins and a real n8n with
 * the demo workflow. Ports: N8N_PORT (5678), JOURNAL_PORT (5690), STAND_INS_PORT (5700).
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuild } from './ensure-build.mjs';
import { ensureInstall } from './ensure-install.mjs';
import { ensureN8n } from './ensure-n8n.mjs';
import { Explained, main } from './explained.mjs';
import { nodeRuntime } from './node-runtime.mjs';
import { ROOT, RUNTIME } from './paths.mjs';
import { portOf, requireFree } from './ports.mjs';
import { demoHook, local, runDemo } from './run-demo.mjs';
import { createServices } from './services.mjs';

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
	nodeRuntime();
	await ensureBuild();
	await ensureN8n();

	const services = createServices();
	const stop = () => {
		console.log('\nStopping …');
		services.stop().then(() => process.exit(0));
	};
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
	// npm passes a SIGTERM on to a shell, which dies without passing it on to us.
	const parent = process.ppid;
	const orphaned = setInterval(() => {
		if (process.ppid === parent) return;
		clearInterval(orphaned);
		stop();
	}, 1000);
	try {
		const logFolder = join(RUNTIME, 'logs');
		const { adminKeyFile } = await runDemo(services, {
			ports,
			logFolder,
			dataFolder: join(ROOT, 'data'),
			userFolder: join(RUNTIME, 'home'),
		});
		console.log(greeting(ports, adminKeyFile ?? 'JOURNAL_ADMIN_KEY', logFolder));
		await services.ended;
	} finally {
		clearInterval(orphaned);
		await services.stop();
	}
}

const greeting = (ports, adminKey, logFolder) => `
  n8n editor            ${local(ports.n8n)}
                        the first visit makes your owner account; workflow "Onboard a customer in ten steps"
  What really happened  ${local(ports.standIns)}
  Approve or reject     ${local(ports.journal)}/inbox
                        its key is in ${adminKey}

  Try it:

  curl -X POST ${demoHook(ports)} -H 'Content-Type: application/json' \\
    -d '{"orderId":"A-1001","company":"Acme SL","taxId":"B12345678","email":"billing@example.com","amount":490}'

  Logs: ${logFolder}
  Ctrl-C stops all of it; npm start goes on where it was.
`;

main(start);
