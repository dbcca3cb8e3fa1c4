import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { arch, platform } from 'node:os';
import { jsonClient } from '../http-client.mjs';
import { measure } from '../measure.mjs';
import { freePort, startProgram, startScript } from '../server-process.mjs';

const PROGRAM = join(
	import.meta.dirname,
	`node_modules/@restatedev/restate-server-${platform()}-${arch()}/bin/restate-server`,
);
const STEPS = 10;

/** There is none for Windows. */
export const hasRestate = () => existsSync(PROGRAM);

/** Every step is synced to the disk; that is how it is shipped. */
function refuseWithoutSync(env) {
	const { stdout } = spawnSync(PROGRAM, ['--dump-config'], { encoding: 'utf8', env });
	const syncs = stdout.match(/^rocksdb-disable-wal-fsync = (true|false)$/gm) ?? [];
	if (syncs.length === 0 || syncs.some((line) => line.endsWith('true')))
		throw new Error("Restate's server runs without syncing its log");
}

/** How many steps the server has stored, by its own SQL interface. */
async function storedSteps(adminUrl) {
	const answer = await fetch(`${adminUrl}/query`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', accept: 'application/json' },
		body: JSON.stringify({
			query:
				"SELECT count(*) AS stored FROM sys_journal WHERE name LIKE 'step-%' AND entry_type LIKE '%Run%'",
		}),
	});
	const text = await answer.text();
	if (!answer.ok) throw new Error(`Restate's /query: ${answer.status} ${text}`);
	return JSON.parse(text).rows[0].stored;
}

/**
 * Restate's server and the service that it calls, each in its own process; callers use its ingress.
 * @param partitions how many its log is divided into; undefined as shipped
 */
export async function startRestate(folder, partitions, cleanup) {
	const [node, ingress, admin, service] = await Promise.all([1, 2, 3, 4].map(freePort));
	const local = (port) => `127.0.0.1:${port}`;
	const env = {
		...process.env,
		RESTATE_BASE_DIR: join(folder, `restate-${partitions ?? 'shipped'}`),
		RESTATE_BIND_ADDRESS: local(node),
		RESTATE_ADVERTISED_ADDRESS: `http://${local(node)}`,
		RESTATE_INGRESS__BIND_ADDRESS: local(ingress),
		RESTATE_ADMIN__BIND_ADDRESS: local(admin),
		RESTATE_LISTEN_MODE: 'tcp',
		RESTATE_DISABLE_TELEMETRY: 'true',
		RESTATE_LOG_FILTER: 'error',
		...(partitions && { RESTATE_DEFAULT_NUM_PARTITIONS: String(partitions) }),
	};
	refuseWithoutSync(env);
	const adminUrl = `http://${local(admin)}`;
	const register = async () => {
		const answer = await fetch(`${adminUrl}/deployments`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ uri: `http://${local(service)}` }),
		});
		return answer.ok;
	};
	const handler = await startScript(
		join(import.meta.dirname, 'restate-service.mjs'),
		[String(service)],
		// It speaks HTTP/2 only: that it answers at all is enough.
		async () => await fetch(`http://${local(service)}/`).then(() => true, isSpokenTo),
		{ env: { NODE_ENV: 'production' } },
	);
	cleanup.defer(() => handler.stop());
	const server = await startProgram(PROGRAM, ['--no-logo'], register, { env, quiet: true });
	cleanup.defer(() => server.stop());

	const client = jsonClient(`http://${local(ingress)}`);
	cleanup.defer(() => client.close());
	const run = () => client.postText('/bench/run', '');
	await run();
	const stored = await storedSteps(adminUrl);
	if (stored < STEPS) throw new Error(`Restate stored ${stored} of ${STEPS} steps`);
	return (callers, seconds) => measure(callers, seconds, run);
}

const isSpokenTo = (error) => error.cause?.code !== 'ECONNREFUSED';
