import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { JournalProblem } from '../../journal/problem';
import type { BodyDone, BodyTask } from './body-worker';
import type { CondensedBody } from './condense-body';

/** Takes the payloads out of large bodies, somewhere. */
export interface BodyReader {
	/**
	 * @param bytes handed over: not to be used afterwards
	 * @throws JournalProblem store_busy when it cannot now
	 */
	condense(bytes: Buffer): Promise<CondensedBody>;
	close(): Promise<void>;
}

/** Bodies at a time; each may hold 16 MiB and several times that while it is parsed. */
const MAX_BODIES = 16;

interface Waiting {
	readonly resolve: (body: CondensedBody) => void;
	readonly reject: (problem: JournalProblem) => void;
}

/** One thread, begun by the first large body; when it dies, the next body begins another. */
export class BodyThread implements BodyReader {
	#worker: Worker | undefined;
	#lastId = 0;
	readonly #waiting = new Map<number, Waiting>();
	readonly #file: string;

	/** @param file the compiled body-worker */
	constructor(file: string = join(__dirname, 'body-worker.js')) {
		this.#file = file;
	}

	async condense(bytes: Buffer): Promise<CondensedBody> {
		if (this.#waiting.size >= MAX_BODIES)
			throw new JournalProblem('store_busy', {}, 'Too many large bodies arrive at once');
		const worker = (this.#worker ??= this.#start());
		return await new Promise<CondensedBody>((resolve, reject) => {
			const id = ++this.#lastId;
			this.#waiting.set(id, { resolve, reject });
			const task: BodyTask = { id, bytes: bytes as Buffer<ArrayBuffer> };
			worker.postMessage(task, [task.bytes.buffer]);
		});
	}

	async close(): Promise<void> {
		await this.#worker?.terminate();
	}

	#start(): Worker {
		const worker = new Worker(this.#file);
		worker.unref();
		worker.on('message', ({ id, body }: BodyDone) => {
			this.#waiting.get(id)?.resolve(body);
			this.#waiting.delete(id);
		});
		// An error, for instance of a body that needs more memory than there is, is followed by the exit.
		worker.on('error', () => {});
		worker.on('exit', () => {
			this.#worker = undefined;
			for (const { reject } of this.#waiting.values())
				reject(new JournalProblem('store_busy', {}, 'The reader of large bodies stopped'));
			this.#waiting.clear();
		});
		return worker;
	}
}
