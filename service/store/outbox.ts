/**
 * SQL of `outbox`: messages that a committed change owes to a channel. A row is taken by moving
 * its `due_at` into the future, so that a process that dies while sending leaves it to be taken
 * again: nothing is lost, and a message whose answer was lost may be sent twice.
 */
import type { Queries } from './database';

/**
 * `gate` shows an open gate; `update` and `outcome` show in the same place what changed about it and
 * what became of it; `reminder` is a message of its own.
 */
export type OutboxKind = 'gate' | 'update' | 'reminder' | 'outcome';

export interface OutboxRow {
	id: number;
	delivery_ref: number;
	kind: OutboxKind;
	attempts: number;
	created_at: number;
}

export async function insertOutbox(
	queries: Queries,
	namespace: string,
	deliveryRef: number,
	kind: OutboxKind,
): Promise<void> {
	await queries.run(
		`INSERT INTO outbox (namespace, delivery_ref, kind, state, attempts, due_at, created_at)
		VALUES (?, ?, ?, 'pending', 0, ?, ?)`,
		namespace,
		deliveryRef,
		kind,
		queries.now,
		queries.now,
	);
}

/** Of one delivery only the oldest pending row has its turn: an outcome edits what was sent before it. */
const HAS_ITS_TURN = `state = 'pending' AND NOT EXISTS (
	SELECT 1 FROM outbox AS before
	WHERE before.delivery_ref = outbox.delivery_ref
		AND before.state = 'pending' AND before.id < outbox.id
)`;

/** Takes up to `limit` due rows for `takenForMs`. */
export async function takeDueOutbox(
	queries: Queries,
	namespace: string,
	limit: number,
	takenForMs: number,
): Promise<OutboxRow[]> {
	return await queries.all<OutboxRow>(
		`WITH due (due_id) AS MATERIALIZED (
			SELECT id FROM outbox
			WHERE namespace = ? AND due_at <= ? AND ${HAS_ITS_TURN}
			ORDER BY due_at, id LIMIT ? ${queries.skipLocked}
		)
		UPDATE outbox SET due_at = ?, attempts = attempts + 1, last_error_code = NULL
		FROM due WHERE id = due_id
		RETURNING id, delivery_ref, kind, attempts, created_at`,
		namespace,
		queries.now,
		limit,
		queries.now + takenForMs,
	);
}

/** Rows that somebody took and never settled become due: for when that somebody is known to be gone. */
export async function makeTakenOutboxDue(queries: Queries, namespace: string): Promise<void> {
	await queries.run(
		`UPDATE outbox SET due_at = ? WHERE namespace = ? AND state = 'pending'
			AND attempts > 0 AND last_error_code IS NULL AND due_at > ?`,
		queries.now,
		namespace,
		queries.now,
	);
}

/** Settles a row for good. `attempts` fences out a worker whose taking ran out. */
export async function settleOutbox(
	queries: Queries,
	row: Pick<OutboxRow, 'id' | 'attempts'>,
	state: 'sent' | 'dropped' | 'failed',
	errorCode: string | null,
): Promise<boolean> {
	const { changes } = await queries.run(
		`UPDATE outbox SET state = ?, last_error_code = ?
		WHERE id = ? AND attempts = ? AND state = 'pending'`,
		state,
		errorCode,
		row.id,
		row.attempts,
	);
	return changes === 1;
}

/** Puts a row back to be tried at `dueAt`. */
export async function postponeOutbox(
	queries: Queries,
	row: Pick<OutboxRow, 'id' | 'attempts'>,
	dueAt: number,
	errorCode: string,
): Promise<void> {
	await queries.run(
		`UPDATE outbox SET due_at = ?, last_error_code = ?
		WHERE id = ? AND attempts = ? AND state = 'pending'`,
		dueAt,
		errorCode,
		row.id,
		row.attempts,
	);
}

/** When the next row that has its turn is due, or undefined when there is none. */
export async function nextOutboxDueAt(
	queries: Queries,
	namespace: string,
): Promise<number | undefined> {
	const row = await queries.get<{ due_at: number | null }>(
		`SELECT min(due_at) AS due_at FROM outbox WHERE namespace = ? AND ${HAS_ITS_TURN}`,
		namespace,
	);
	return row?.due_at ?? undefined;
}
