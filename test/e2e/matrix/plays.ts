/** How the executions of a cell are run; the scene takes down what each shows at its end. */
import { waitUntil } from '../../wait-until';
import type { Scene } from './scene';

export interface Play {
	/** Brings the cell to where n8n is to be killed; left out where nothing is killed. */
	beforeKill?(scene: Scene): Promise<void>;
	/** Brings the cell to its end; after the kill where there was one. */
	play(scene: Scene): Promise<void>;
}

const held = async (scene: Scene) =>
	await waitUntil(`${scene.order} to be held`, () => scene.receiver.held().includes(scene.order), {
		timeoutMs: 60_000,
	});

export const once: Play = {
	play: async (scene) => await scene.finish(await scene.run()),
};

/** Triggered again with this amount. */
const twiceWith = (amount?: number): Play => ({
	async play(scene) {
		await scene.finish(await scene.run());
		await scene.finish(await scene.run(amount));
	},
});
export const twice = twiceWith();
export const changed = twiceWith(6);

/** The second asks for the step while the first holds it. */
export const together: Play = {
	async play(scene) {
		const first = await scene.run();
		await held(scene);
		const second = await scene.run();
		await waitUntil(`${scene.order} to be claimed twice`, () => scene.claims() >= 2);
		scene.receiver.release(scene.order);
		await scene.finish(first);
		await scene.finish(second);
	},
};

async function retryCrashed(scene: Scene): Promise<void> {
	const [crashed] = scene.executions;
	await scene.client.waitForStatus(crashed!, 'crashed');
	await scene.finish(await scene.client.retry(crashed!));
}

/** n8n dies while the receiver holds the call. */
export const killed: Play = {
	async beforeKill(scene) {
		await scene.run();
		await held(scene);
	},
	play: retryCrashed,
};

/** n8n dies when the step is done, in the node behind it. */
export const killedLater: Play = {
	async beforeKill(scene) {
		scene.receiver.holdLater(scene.order, true);
		await scene.run();
		await held(scene);
	},
	async play(scene) {
		scene.receiver.holdLater(scene.order, false);
		await retryCrashed(scene);
	},
};

/** The credential gets the right secret, and the execution is retried as n8n does it. */
export const repaired = (secret: string): Play => ({
	async play(scene) {
		const first = await scene.run();
		await scene.finish(first);
		await scene.repair(secret);
		const { status } = await scene.client.execution(first, { data: false });
		// An agent that was told of a refusal ends well, and n8n retries only what failed.
		const again = status === 'success' ? await scene.run() : await scene.client.retry(first);
		await scene.finish(again);
	},
});
