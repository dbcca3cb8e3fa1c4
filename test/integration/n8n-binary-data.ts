/** Where n8n keeps files, in tests with n8n-core. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';

/** n8n-core's own container: another copy of that package knows nothing of its services. */
const { Container } = createRequire(require.resolve('n8n-core'))('@n8n/di') as {
	Container: { get<T>(type: new (...args: never[]) => T): T };
};

/** `default`: in the items themselves. `filesystem`: in files, which the items refer to. */
export type BinaryMode = 'default' | 'filesystem';

/** Sets n8n's mode; returns how to remove the files, as n8n's pruning does. */
export async function setBinaryMode(mode: BinaryMode): Promise<() => Promise<void>> {
	const folder = await mkdtemp(join(tmpdir(), 'n8n-binary-'));
	Object.assign(Container.get(BinaryDataConfig), { mode, localStoragePath: folder });
	await Container.get(BinaryDataService).init();
	return async () => await rm(folder, { recursive: true, force: true });
}
