import { LargeJson, utf8Pieces } from '../domain/large-json';
import type { Database } from '../store/database';
import { findStep } from '../store/steps';
import { deleteDeposit, insertDeposit, insertPiece } from '../store/payload-pieces';
import { NAMESPACE } from './journal';

/** A write of 5 MB at once stalls every other request for about as long as all its pieces take; bytes. */
const PIECE = 64 * 1024;

/**
 * Runs `work`, which stores some of the payloads, after writing those that are large: each piece is a
 * small write of its own, between which other requests come. Nothing refers to them until `work` does
 * in its transaction; what it did not take is removed.
 */
export async function withDeposits<Result>(
	database: Database,
	payloads: readonly unknown[],
	work: () => Promise<Result>,
): Promise<Result> {
	const large = payloads.filter((payload): payload is LargeJson => isLarge(payload));
	if (large.length === 0) return await work();
	try {
		for (const payload of large) await deposit(database, payload);
		return await work();
	} finally {
		await removeDeposits(database, large);
	}
}

/**
 * The same for the inputs of claims. A step that is known has its input already; one that begins or
 * vanishes in between stores it in `work`'s transaction.
 */
export async function withNewInputs<Result>(
	database: Database,
	claims: ReadonlyArray<{ readonly key: string; readonly input: unknown }>,
	work: () => Promise<Result>,
): Promise<Result> {
	const inputs: unknown[] = [];
	for (const { key, input } of claims)
		if (isLarge(input) && !(await database.read((queries) => findStep(queries, NAMESPACE, key))))
			inputs.push(input);
	return await withDeposits(database, inputs, work);
}

function isLarge(payload: unknown): boolean {
	return payload instanceof LargeJson && payload.bytes.length > PIECE;
}

async function deposit(database: Database, payload: LargeJson): Promise<void> {
	let pieces = 0;
	for (const json of utf8Pieces(payload.bytes, PIECE)) {
		const piece = pieces++;
		const ref = await database.writeAhead(async (queries) => {
			const of = payload.deposit?.ref ?? (await insertDeposit(queries, payload.facts.textSha256));
			await insertPiece(queries, of, piece, json);
			return of;
		});
		payload.deposit = { ref, pieces };
	}
}

async function removeDeposits(database: Database, payloads: readonly LargeJson[]): Promise<void> {
	for (const { deposit } of payloads)
		if (deposit)
			await database
				.write([], async (queries) => await deleteDeposit(queries, deposit.ref))
				// The answer stands; what stays behind is removed by its age.
				.catch(() => {});
}
