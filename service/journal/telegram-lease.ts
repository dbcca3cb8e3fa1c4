import { releaseHostLease, storeHostLeaseState, takeHostLease } from '../store/host-leases';
import type { Journal } from './journal';

const NAME = 'telegram-polling';
/**
 * Two polls of one bot end each other, so only one process of all that share the database polls.
 * Longer than one poll, so that it is prolonged in time; short, so that a killed holder is soon
 * followed.
 */
const LEASE_MS = 10_000;

/**
 * Takes or prolongs the lease on polling.
 * @param holder random per process
 * @returns the offset to go on from, or undefined when another process polls
 */
export async function takeTelegramLease(
	journal: Journal,
	holder: string,
): Promise<{ offset: number } | undefined> {
	return await journal.database.write([], async (queries) => {
		const state = await takeHostLease(queries, NAME, holder, LEASE_MS);
		return state === undefined ? undefined : { offset: 0, ...(JSON.parse(state) as object) };
	});
}

/** Every update before `offset` has been handled. */
export async function storeTelegramOffset(
	journal: Journal,
	holder: string,
	offset: number,
): Promise<void> {
	await journal.database.write([], async (queries) => {
		await storeHostLeaseState(queries, NAME, holder, JSON.stringify({ offset }));
	});
}

/** Lets another process poll at once. */
export async function releaseTelegramLease(journal: Journal, holder: string): Promise<void> {
	await journal.database.write([], (queries) => releaseHostLease(queries, NAME, holder));
}
