/**
 * SQL that removes what a run still has in other tables once its own row is gone, a bounded number
 * of rows at a time. Nobody sees these rows any more.
 */
import type { Queries } from './database';
import { deletePayload, type PayloadColumns } from './payloads';

type Ref = PayloadColumns['ref'];

/** @returns how many steps were removed, at most `limit` */
export async function removeSteps(
	queries: Queries,
	namespace: string,
	runRef: number,
	limit: number,
): Promise<number> {
	const removed = await queries.all<{ input_ref: Ref; result_ref: Ref }>(
		`DELETE FROM steps WHERE id IN (
			SELECT id FROM steps WHERE namespace = ? AND run_ref = ? LIMIT ? ${queries.skipLocked})
		 RETURNING input_ref, result_ref`,
		namespace,
		runRef,
		limit,
	);
	for (const { input_ref, result_ref } of removed) {
		await deletePayload(queries, input_ref);
		await deletePayload(queries, result_ref);
	}
	return removed.length;
}

/** @returns how many slots were removed, at most `limit` */
export async function removeSlots(
	queries: Queries,
	runRef: number,
	limit: number,
): Promise<number> {
	const { changes } = await queries.run(
		`DELETE FROM slots WHERE id IN (
			SELECT id FROM slots WHERE run_ref = ? LIMIT ? ${queries.skipLocked})`,
		runRef,
		limit,
	);
	return changes;
}

/**
 * Removes gates with all that hangs on them: texts, decisions, messages, resume URLs, timers.
 * @returns how many, at most `limit`
 */
export async function removeGates(
	queries: Queries,
	namespace: string,
	runRef: number,
	limit: number,
): Promise<number> {
	const removed = await queries.all<{
		id: number;
		gate_id: string;
		request_ref: Ref;
		input_ref: Ref;
	}>(
		`DELETE FROM gates WHERE id IN (
			SELECT id FROM gates WHERE run_ref = ? LIMIT ? ${queries.skipLocked})
		 RETURNING id, gate_id, request_ref, input_ref`,
		runRef,
		limit,
	);
	for (const { id, gate_id, request_ref, input_ref } of removed) {
		await deletePayload(queries, request_ref);
		await deletePayload(queries, input_ref);
		await queries.run('DELETE FROM gate_decisions WHERE gate_ref = ?', id);
		await queries.run('DELETE FROM gate_waiters WHERE gate_ref = ?', id);
		await queries.run(
			'DELETE FROM outbox WHERE delivery_ref IN (SELECT id FROM deliveries WHERE gate_ref = ?)',
			id,
		);
		await queries.run('DELETE FROM deliveries WHERE gate_ref = ?', id);
		await queries.run('DELETE FROM timers WHERE namespace = ? AND subject = ?', namespace, gate_id);
	}
	return removed.length;
}
