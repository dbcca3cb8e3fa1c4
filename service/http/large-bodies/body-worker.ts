/** The thread that parses, checks and hashes large bodies, so that the event loop need not. */
import { platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { condenseBody, type CondensedBody } from './condense-body';

export interface BodyTask {
	readonly id: number;
	readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface BodyDone {
	readonly id: number;
	readonly body: CondensedBody;
}

/** Small requests come first where cores are scarce. Elsewhere this would slow down the whole process. */
if (platform() === 'linux') setPriority(5);

parentPort!.on('message', ({ id, bytes }: BodyTask) => {
	const body = condenseBody(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
	parentPort!.postMessage({ id, body } satisfies BodyDone, [body.bytes.buffer]);
});
