/** SQL of `host_leases`: what only one process of all may do at a time, e.g. poll Telegram. */
import type { Queries } from './database';

/**
 * Takes a lease, or prolongs it for its holder. The state is kept over changes of the holder.
 * @returns the stored state, or undefined when another process holds the lease
 */
export async function takeHostLease(
	queries: Queries,
	name: string,
	holder: string,
	leaseMs: number,
): Promise<string | undefined> {
	const row = await queries.get<{ state_json: string }>(
		`INSERT INTO host_leases (name, holder, expires_at, state_json) VALUES (?, ?, ?, '{}')
		ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
		WHERE host_leases.holder = excluded.holder OR host_leases.expires_at <= ?
		RETURNING state_json`,
		name,
		holder,
		queries.now + leaseMs,
		queries.now,
	);
	return row?.state_json;
}

/** @returns false when the lease is no longer the holder's */
export async function storeHostLeaseState(
	queries: Queries,
	name: string,
	holder: string,
	stateJson: string,
): Promise<boolean> {
	const { changes } = await queries.run(
		'UPDATE host_leases SET state_json = ? WHERE name = ? AND holder = ?',
		stateJson,
		name,
		holder,
	);
	return changes === 1;
}

/** Lets another process take the lease at once. */
export async function releaseHostLease(
	queries: Queries,
	name: string,
	holder: string,
): Promise<void> {
	await queries.run(
		'UPDATE host_leases SET expires_at = ? WHERE name = ? AND holder = ?',
		queries.now,
		name,
		holder,
	);
}
