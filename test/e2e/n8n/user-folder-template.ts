/** A user folder of n8n with its database migrated, an owner and an API key, made once and copied. */
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { n8nVersion } from '../../../tools/ensure-n8n.mjs';
import { RUNTIME } from '../../../tools/paths.mjs';
import { freePort } from '../../free-port';
import { createApiKey } from './create-api-key';
import { launchN8n } from './launch-n8n';

export interface UserFolderTemplate {
	folder: string;
	apiKey: string;
}

/** Raised when what the template holds changes, so that an older one is not used. */
const SHAPE = 1;

/** Takes half a minute the first time (n8n's migrations), nothing afterwards. */
export async function userFolderTemplate(): Promise<UserFolderTemplate> {
	const folder = join(RUNTIME, `test-template-${n8nVersion()}-${SHAPE}`);
	const keyFile = join(folder, 'api-key');
	if (!existsSync(keyFile)) await makeTemplate(folder);
	return { folder, apiKey: readFileSync(keyFile, 'utf8') };
}

async function makeTemplate(target: string): Promise<void> {
	mkdirSync(RUNTIME, { recursive: true });
	const building = mkdtempSync(join(RUNTIME, 'test-template-new-'));
	const port = await freePort();
	const n8n = await launchN8n(building, port);
	try {
		writeFileSync(join(building, 'api-key'), await createApiKey(`http://127.0.0.1:${port}`));
	} finally {
		// Not SIGKILL: the template must not count as crashed, and its database must be whole in one file.
		await n8n.kill('SIGTERM');
	}
	try {
		renameSync(building, target);
	} catch (error) {
		// Another test run finished the same template meanwhile.
		rmSync(building, { recursive: true, force: true });
		if (!existsSync(join(target, 'api-key'))) throw error;
	}
}
