/** A real n8n as a process of its own, for tests: started, killed, restarted. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placePackage } from '../../../tools/place-package.mjs';
import { freePort } from '../../free-port';
import { launchN8n } from './launch-n8n';
import { N8nClient } from './n8n-client';
import { userFolderTemplate } from './user-folder-template';

export interface N8nOptions {
	/** Made from a template with an owner and an API key if left out, and removed by `stop`. */
	userFolder?: string;
	port?: number;
	/** Added to n8n's environment, and kept over restarts. */
	env?: Record<string, string>;
}

export interface N8n {
	readonly baseUrl: string;
	readonly userFolder: string;
	/** n8n's API, signed in as the owner. */
	readonly client: N8nClient;
	readonly pid: number;
	/** Output of the current process. */
	log(): string;
	kill(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>;
	/** Starts it again on the same folder and port, with its workflows active; kills it first if it runs. */
	restart(): Promise<void>;
	/** Kills it and removes a folder that was made for it. */
	stop(): Promise<void>;
}

/** A real n8n with this package loaded, its owner set up and an API key ready. */
export async function startN8n(options: N8nOptions = {}): Promise<N8n> {
	const template = await userFolderTemplate();
	const userFolder = options.userFolder ?? mkdtempSync(join(tmpdir(), 'durable-n8n-'));
	if (!options.userFolder) cpSync(template.folder, userFolder, { recursive: true });
	placePackage(userFolder);
	const port = options.port ?? (await freePort());
	const baseUrl = `http://127.0.0.1:${port}`;
	const client = new N8nClient(baseUrl, template.apiKey);
	let current = await launchN8n(userFolder, port, options.env);
	return {
		baseUrl,
		userFolder,
		client,
		get pid() {
			return current.pid;
		},
		log: () => current.log(),
		kill: (signal = 'SIGKILL') => current.kill(signal),
		async restart() {
			await current.kill();
			current = await launchN8n(userFolder, port, options.env);
			await client.waitForWebhooks();
		},
		async stop() {
			await current.kill();
			if (!options.userFolder) rmSync(userFolder, { recursive: true, force: true, maxRetries: 3 });
		},
	};
}
