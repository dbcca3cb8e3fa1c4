import { sha256Hex } from '../domain/key';
import type { Queries } from '../store/database';
import { deletePayload } from '../store/payloads';
import { removeGates, removeGuards, removeSlots, removeSteps } from '../store/removal';
import { deleteRunRow, type RunRow } from '../store/runs';
import { finishTombstone, insertTombstone, type TombstoneRow } from '../store/tombstones';
import { appendAudit } from './append-audit';
import { NAMESPACE, type Journal } from './journal';

/** Rows that one transaction removes: few enough that requests wait for moments. */
const SLICE = 100;
/** Each with a text and an input, which may be large, and with rows in five other tables. */
const GATES = 10;

/**
 * Makes a run vanish: from this transaction on every request about it, its steps and its gates finds
 * a tombstone or nothing. A small run is gone whole; of a larger one rows are left that nobody sees,
 * for removeLeftovers.
 * @returns whether rows may be left
 */
export async function buryRun(
	queries: Queries,
	run: RunRow,
	kind: TombstoneRow['kind'],
): Promise<boolean> {
	await appendAudit(queries, run, `run.${kind}`, undefined);
	await insertTombstone(queries, NAMESPACE, sha256Hex(run.run_id), run.id, kind);
	await deletePayload(queries, run.result_ref);
	await deleteRunRow(queries, run.id);
	return await removeSlice(queries, run.id);
}

/**
 * Removes what is left of a buried run, in transactions of bounded size, until nothing is.
 * @param goOn awaited before each of them; false ends it early, and it is to be called again
 */
export async function removeLeftovers(
	journal: Journal,
	runRef: number,
	goOn: () => Promise<boolean>,
): Promise<void> {
	do if (!(await goOn())) return;
	while (await journal.database.write([], async (queries) => await removeSlice(queries, runRef)));
}

async function removeSlice(queries: Queries, runRef: number): Promise<boolean> {
	const left = [
		await removeSteps(queries, runRef, SLICE),
		await removeSlots(queries, runRef, SLICE),
		await removeGuards(queries, runRef, SLICE),
		await removeGates(queries, NAMESPACE, runRef, GATES),
	];
	if (left.includes(true)) return true;
	await finishTombstone(queries, runRef);
	return false;
}
