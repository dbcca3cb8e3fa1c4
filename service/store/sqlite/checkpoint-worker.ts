/** The thread that moves what was committed from the write-ahead log into the database file. */
import { parentPort, workerData } from 'node:worker_threads';
import { openConnection } from './open-connection';

/** No waiting for locks: a checkpoint that meets one goes on at the next call. */
const connection = openConnection(workerData as string, 0);
const checkpoint = connection.prepare<[], { log: number; checkpointed: number }>(
	'PRAGMA wal_checkpoint(PASSIVE)',
);
const MOST_PASSES = 5;

parentPort!.on('message', (message: 'checkpoint' | 'close') => {
	if (message === 'close') {
		connection.close();
		parentPort!.close();
		return;
	}
	// What is committed meanwhile is left over each time, and less of it each time.
	for (let pass = 0; pass < MOST_PASSES; pass++) {
		const { log, checkpointed } = checkpoint.get()!;
		if (log === checkpointed) break;
	}
	parentPort!.postMessage('done');
});
