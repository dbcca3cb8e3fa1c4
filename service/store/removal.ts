/**
 * SQL that removes what a run still has in other tables once its own row is gone, a bounded number
 * of rows at a time. Nobody sees these rows any more.
 */
import type { Queries } from './database';
import { deletePayload, type PayloadColumns } from './payloads';

type Ref = PayloadColumns['ref'];

/** A transaction that removes more than this holds up everybody: 5 MB take some 4 ms. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Large payloads are stored in pieces of this size; bytes. */
const PIECE_BYTES = 64 * 1024;

/** Steps whose large payloads are together not larger than one transaction should remove; at least one. */
const SOME_STEPS = `SELECT id, input_ref, result_ref, (
		SELECT CAST(sum(pieces * ${PIECE_BYTES} + COALESCE(octet_length(json), 0)) AS BIGINT)
		FROM payloads WHERE payloads.id IN (input_ref, result_ref)) AS bytes
	FROM steps WHERE run_ref = ? ORDER BY id LIMIT ?`;

/** @returns whether any may be left */
export async function removeSteps(
	queries: Queries,
	runRef: number,
	limit: number,
): Promise<boolean> {
	const found = await queries.all<{
		id: number;
		input_ref: Ref;
		result_ref: Ref;
		bytes: number | null;
	}>(`${SOME_STEPS} ${queries.skipLocked}`, runRef, limit);
	let bytes = 0;
	const fits = found.filter(
		(step, index) => (bytes += step.bytes ?? 0) <= MAX_BYTES || index === 0,
	);
	// Asked for at once: each way to a server would hold up everybody.
	await Promise.all(
		fits.flatMap((step) => [
			queries.run('DELETE FROM steps WHERE id = ?', step.id),
			deletePayload(queries, step.input_ref),
			deletePayload(queries, step.result_ref),
		]),
	);
	return fits.length < found.length || found.length === limit;
}

/** @returns whether any may be left */
export async function removeSlots(
	queries: Queries,
	runRef: number,
	limit: number,
): Promise<boolean> {
	const found = await queries.all<{ id: number }>(
		`SELECT id FROM slots WHERE run_ref = ? LIMIT ? ${queries.skipLocked}`,
		runRef,
		limit,
	);
	await Promise.all(found.map(({ id }) => queries.run('DELETE FROM slots WHERE id = ?', id)));
	return found.length === limit;
}

/** @returns whether any may be left */
export async function removeGuards(
	queries: Queries,
	runRef: number,
	limit: number,
): Promise<boolean> {
	const found = await queries.all<{ id: number }>(
		`SELECT id FROM guards WHERE run_ref = ? LIMIT ? ${queries.skipLocked}`,
		runRef,
		limit,
	);
	// Another run may have taken it over meanwhile.
	await Promise.all(
		found.map(({ id }) =>
			queries.run('DELETE FROM guards WHERE id = ? AND run_ref = ?', id, runRef),
		),
	);
	return found.length === limit;
}

/**
 * Removes gates with all that hangs on them: texts, decisions, messages, resume URLs, timers.
 * @returns whether any may be left
 */
export async function removeGates(
	queries: Queries,
	namespace: string,
	runRef: number,
	limit: number,
): Promise<boolean> {
	const found = await queries.all<{
		id: number;
		gate_id: string;
		request_ref: Ref;
		input_ref: Ref;
	}>(
		`SELECT id, gate_id, request_ref, input_ref FROM gates WHERE run_ref = ?
		 LIMIT ? ${queries.skipLocked}`,
		runRef,
		limit,
	);
	await Promise.all(
		found.flatMap(({ id, gate_id, request_ref, input_ref }) => [
			queries.run('DELETE FROM gates WHERE id = ?', id),
			deletePayload(queries, request_ref),
			deletePayload(queries, input_ref),
			queries.run('DELETE FROM gate_decisions WHERE gate_ref = ?', id),
			queries.run('DELETE FROM gate_waiters WHERE gate_ref = ?', id),
			queries.run(
				'DELETE FROM outbox WHERE delivery_ref IN (SELECT id FROM deliveries WHERE gate_ref = ?)',
				id,
			),
			queries.run('DELETE FROM deliveries WHERE gate_ref = ?', id),
			queries.run('DELETE FROM timers WHERE namespace = ? AND subject = ?', namespace, gate_id),
		]),
	);
	return found.length === limit;
}
