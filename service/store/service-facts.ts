import type { Queries } from './database';

/** What the service remembers about itself, by name. */
export async function readServiceFact(queries: Queries, name: string): Promise<string | undefined> {
	const row = await queries.get<{ value: string }>(
		'SELECT value FROM service_facts WHERE name = ?',
		name,
	);
	return row?.value;
}

export async function insertServiceFact(
	queries: Queries,
	name: string,
	value: string,
): Promise<void> {
	await queries.run('INSERT INTO service_facts (name, value) VALUES (?, ?)', name, value);
}
