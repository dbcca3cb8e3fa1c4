import fc from 'fast-check';
import { commands } from './commands';
import { crashableStore } from './crashable-store';
import { emptyModel } from './model';
import { WORKERS } from './step-operations';
import { World } from './world';

const MOST_COMMANDS = 100;

/**
 * Plays random histories, each on an empty store.
 * @param options `seed` and `path` as a failure prints them; `numRuns` histories
 * @throws with the shortest history in which the journal contradicts the model
 */
export async function checkHistories(options: {
	seed: number;
	numRuns: number;
	path?: string;
}): Promise<void> {
	const history = fc.asyncProperty(commands(MOST_COMMANDS), async (all) => {
		const world = await World.open(await crashableStore());
		try {
			const setup = () => ({ model: emptyModel(world.clock.ms, WORKERS), real: world });
			await fc.asyncModelRun(setup, all);
		} finally {
			await world.close();
		}
	});
	await fc.assert(history, options);
}
