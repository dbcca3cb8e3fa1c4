import { onPostgres } from '../store-under-test';

/** Of every part, by tools/soak.mjs. */
const MINUTES = Number(process.env.SOAK_MINUTES ?? 1);
export const SEED = Number(process.env.SOAK_SEED ?? 1);
/** Figures are told this often. */
const TELL_EVERY_MS = 15_000;

export const STORE = onPostgres() ? 'PostgreSQL' : 'SQLite';
export const TEST_TIMEOUT_MS = MINUTES * 60_000 + 600_000;

/**
 * Does one round after the other until the time is over; the first that fails ends it.
 * @param most rounds
 * @param tell what was done so far
 */
export async function rounds(
	name: string,
	most: number,
	round: (index: number) => Promise<void>,
	tell: () => string,
): Promise<void> {
	const begun = Date.now();
	let told = begun;
	const say = (word: string) => {
		const minutes = ((Date.now() - begun) / 60_000).toFixed(1);
		process.stderr.write(`${name} on ${STORE}, seed ${SEED}, ${minutes} min, ${word}: ${tell()}\n`);
	};
	for (let index = 0; index < most && Date.now() - begun < MINUTES * 60_000; index++) {
		await round(index).catch((error: unknown) => {
			say('FAULT');
			throw error;
		});
		if (Date.now() - told < TELL_EVERY_MS) continue;
		told = Date.now();
		say('so far');
	}
	say('done, faults 0');
}
