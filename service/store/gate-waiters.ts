/**
 * SQL of `gate_waiters`: the n8n executions to wake when a gate is final, one row for each resume
 * URL. A due row is taken by moving its next attempt into the future, so that a process that dies
 * while calling leaves it to be taken again.
 */
import type { Queries } from './database';

export interface WaiterRow {
	/** `waiting` until the gate is final. */
	state: 'waiting' | 'pending' | 'done' | 'gone';
	attempts: number;
	last_status: number | null;
}

export interface NewWaiter {
	readonly gateRef: number;
	readonly resumeUrlSha256: string;
	readonly resumeUrlEncrypted: string;
	/** The gate is final already: the answer to this very open says so, and it is woken at once. */
	readonly toldAtOpen: boolean;
}

/** Adds a waiter, or does nothing when this resume URL is known. @returns whether it was added */
export async function addWaiter(queries: Queries, waiter: NewWaiter): Promise<boolean> {
	const due = waiter.toldAtOpen ? queries.now : null;
	const { changes } = await queries.run(
		`INSERT INTO gate_waiters (gate_ref, resume_url_sha256, resume_url_encrypted, state, attempts,
			told_at_open, pending_since, next_attempt_at)
		 VALUES (?, ?, ?, ?, 0, ?, ?, ?) ON CONFLICT (gate_ref, resume_url_sha256) DO NOTHING`,
		waiter.gateRef,
		waiter.resumeUrlSha256,
		waiter.resumeUrlEncrypted,
		waiter.toldAtOpen ? 'pending' : 'waiting',
		waiter.toldAtOpen ? 1 : 0,
		due,
		due,
	);
	return changes === 1;
}

export async function listWaiters(queries: Queries, gateRef: number): Promise<WaiterRow[]> {
	return await queries.all<WaiterRow>(
		'SELECT state, attempts, last_status FROM gate_waiters WHERE gate_ref = ? ORDER BY id',
		gateRef,
	);
}

/** The gate is final: everybody who waits for it is to be woken now. */
export async function makeWaitersPending(queries: Queries, gateRef: number): Promise<void> {
	await queries.run(
		`UPDATE gate_waiters SET state = 'pending', pending_since = ?, next_attempt_at = ?
		 WHERE gate_ref = ? AND state = 'waiting'`,
		queries.now,
		queries.now,
		gateRef,
	);
}

/** Makes every pending waiter due now, also those that a dead process had taken. */
export async function makePendingWaitersDue(queries: Queries): Promise<void> {
	await queries.run(
		"UPDATE gate_waiters SET next_attempt_at = ? WHERE state = 'pending' AND next_attempt_at > ?",
		queries.now,
		queries.now,
	);
}

/** A waiter whose turn it is. */
export interface DueWaiterRow {
	id: number;
	gate_ref: number;
	resume_url_encrypted: string;
	/** This attempt included. */
	attempts: number;
	told_at_open: number;
	pending_since: number;
	missing_since: number | null;
}

/** Takes up to `limit` due waiters for `takenForMs`. */
export async function takeDueWaiters(
	queries: Queries,
	limit: number,
	takenForMs: number,
): Promise<DueWaiterRow[]> {
	return await queries.all<DueWaiterRow>(
		`WITH due (due_id) AS MATERIALIZED (
			SELECT id FROM gate_waiters WHERE state = 'pending' AND next_attempt_at <= ?
			ORDER BY next_attempt_at LIMIT ? ${queries.skipLocked}
		)
		UPDATE gate_waiters SET next_attempt_at = ?, attempts = attempts + 1
		FROM due WHERE id = due_id
		RETURNING id, gate_ref, resume_url_encrypted, attempts, told_at_open, pending_since, missing_since`,
		queries.now,
		limit,
		queries.now + takenForMs,
	);
}

export interface WaiterOutcome {
	readonly state: 'pending' | 'done' | 'gone';
	/** HTTP status of the answer; null when there was none. */
	readonly status: number | null;
	readonly missingSince: number | null;
	readonly nextAttemptAt: number | null;
}

/** Records what came of an attempt. `attempts` fences out a worker whose taking ran out. */
export async function saveWaiterOutcome(
	queries: Queries,
	waiter: Pick<DueWaiterRow, 'id' | 'attempts'>,
	outcome: WaiterOutcome,
): Promise<boolean> {
	const { changes } = await queries.run(
		`UPDATE gate_waiters SET state = ?, last_status = ?, missing_since = ?, next_attempt_at = ?
		 WHERE id = ? AND attempts = ? AND state = 'pending'`,
		outcome.state,
		outcome.status,
		outcome.missingSince,
		outcome.nextAttemptAt,
		waiter.id,
		waiter.attempts,
	);
	return changes === 1;
}

/** When the next pending waiter is due, or undefined when there is none. */
export async function nextWaiterDueAt(queries: Queries): Promise<number | undefined> {
	const row = await queries.get<{ at: number | null }>(
		"SELECT min(next_attempt_at) AS at FROM gate_waiters WHERE state = 'pending'",
	);
	return row?.at ?? undefined;
}

/** Whether a gate of the run is open, or an execution that waited for one is not woken yet. */
export async function isRunAwaited(queries: Queries, runRef: number): Promise<boolean> {
	const row = await queries.get(
		`SELECT 1 FROM gates WHERE run_ref = ? AND (state = 'open' OR EXISTS (
			SELECT 1 FROM gate_waiters WHERE gate_ref = gates.id AND state = 'pending')) LIMIT 1`,
		runRef,
	);
	return row !== undefined;
}
