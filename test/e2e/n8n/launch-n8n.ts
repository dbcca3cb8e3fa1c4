import { n8nEnvironment } from '../../../tools/n8n-environment.mjs';
import { nodeRuntime } from '../../../tools/node-runtime.mjs';
import { n8nCommand } from '../../../tools/paths.mjs';
import { startProcess, type RunningProcess } from '../../child-process';
import { freePort } from '../../free-port';
import { httpRequest } from '../../http-request';
import { waitUntil } from '../../wait-until';

/** The only variables n8n inherits: it must not see jest's NODE_ENV, nor the host's n8n settings. */
const inherited = () => ({
	PATH: process.env.PATH,
	HOME: process.env.HOME,
	TMPDIR: process.env.TMPDIR,
});

/** Starts n8n and returns when it answers requests. */
export async function launchN8n(
	userFolder: string,
	port: number,
	env: Record<string, string> = {},
): Promise<RunningProcess> {
	const started = startProcess(nodeRuntime(), [n8nCommand(), 'start'], {
		cwd: userFolder,
		env: {
			...inherited(),
			...n8nEnvironment({ userFolder, port, brokerPort: await freePort() }),
			N8N_ENCRYPTION_KEY: 'key-of-the-end-to-end-tests',
			...env,
		},
	});
	try {
		await waitUntil(
			'n8n to answer',
			async () => {
				if (started.ended() !== undefined) return true;
				const settings = await httpRequest('GET', `http://127.0.0.1:${port}/rest/settings`);
				return settings.status === 200 && settings.body.data;
			},
			{ timeoutMs: 90_000, everyMs: 100 },
		);
		if (started.ended() !== undefined) throw new Error(`n8n ended: ${started.ended()}`);
	} catch (error) {
		await started.kill();
		throw new Error(`n8n did not start:\n${started.log().slice(-3000)}`, { cause: error });
	}
	return started;
}
