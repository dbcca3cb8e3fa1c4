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
export function withDeposits<Result>(
	database: Database,
	payloads: readonly unknown[],
	work: () => Promise<Result>,
): Promise<Result> {
	const large = payloads.filter(isLarge);
	return large.length === 0 ? work() : afterDeposits(database, large, work);
}

async function afterDeposits<Result>(
	database: Database,
	payloads: readonly LargeJson[],
	work: () => Promise<Result>,
): Promise<Result> {
	try {
		for (const payload of payloads) await deposit(database, payload);
		return await work();
	} finally {
		for (const payload of payloads) await removeDeposit(database, payload);
	}
}

/**
 * The same for the inputs of claims. A step that is known has its input already; one that begins or
 * vanishes in between stores it in `work`'s transaction.
 */
export function withNewInputs<Result>(
	database: Database,
	claims: readonly ClaimedInput[],
	work: () => Promise<Result>,
): Promise<Result> {
	const large = claims.filter(({ input }) => isLarge(input));
	if (large.length === 0) return work();
	return newInputs(database, large).then((inputs) => withDeposits(database, inputs, work));
}

export interface ClaimedInput {
	readonly key: string;
	readonly input: unknown;
}

async function newInputs(database: Database, claims: readonly ClaimedInput[]): Promise<unknown[]> {
	const inputs: unknown[] = [];
	for (const { key, input } of claims) {
		const isKnown = await database.read((queries) => findStep(queries, NAMESPACE, key));
		if (!isKnown) inputs.push(input);
	}
	return inputs;
}

function isLarge(payload: unknown): payload is LargeJson {
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

async function removeDeposit(database: Database, payload: LargeJson): Promise<void> {
	const { deposit } = payload;
	if (!deposit) return;
	payload.deposit = undefined;
	await database
		.write([], async (queries) => await deleteDeposit(queries, deposit.ref))
		// The answer stands; what stays behind is removed by its age.
		.catch(() => {});
}
