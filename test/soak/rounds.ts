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
 * @param finish what is left to check when the time is over
 */
export async function rounds(
	name: string,
	most: number,
	round: (index: number) => Promise<void>,
	tell: () => string,
	finish: () => Promise<void> = async () => {},
): Promise<void> {
	const begun = Date.now();
	let told = begun;
	const say = (word: string) => {
		const minutes = ((Date.now() - begun) / 60_000).toFixed(1);
		process.stderr.write(`${name} on ${STORE}, seed ${SEED}, ${minutes} min, ${word}: ${tell()}\n`);
	};
	const orSayFault = async (work: Promise<void>) =>
		await work.catch((error: unknown) => {
			say('FAULT');
			throw error;
		});
	for (let index = 0; index < most && Date.now() - begun < MINUTES * 60_000; index++) {
		await orSayFault(round(index));
		if (Date.now() - told < TELL_EVERY_MS) continue;
		told = Date.now();
		say('so far');
	}
	await orSayFault(finish());
	say('done, faults 0');
}
