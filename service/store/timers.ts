/** SQL of `timers`: durable future firings. A timer is taken by deleting it, so it fires once. */
import type { Queries } from './database';

/** `gate_deadline`: the subject is a gate id. */
export type TimerKind = 'gate_deadline';

export interface TimerRow {
	kind: TimerKind;
	subject: string;
}

export async function setTimer(
	queries: Queries,
	namespace: string,
	kind: TimerKind,
	subject: string,
	dueAt: number,
): Promise<void> {
	await queries.run(
		'INSERT INTO timers (namespace, kind, subject, due_at) VALUES (?, ?, ?, ?)',
		namespace,
		kind,
		subject,
		dueAt,
	);
}

export async function dropTimer(
	queries: Queries,
	namespace: string,
	kind: TimerKind,
	subject: string,
): Promise<void> {
	await queries.run(
		'DELETE FROM timers WHERE namespace = ? AND kind = ? AND subject = ?',
		namespace,
		kind,
		subject,
	);
}

/** Up to `limit` timers that are due, the most overdue first. */
export async function listDueTimers(
	queries: Queries,
	namespace: string,
	limit: number,
): Promise<TimerRow[]> {
	return await queries.all<TimerRow>(
		`SELECT kind, subject FROM timers WHERE namespace = ? AND due_at <= ?
		 ORDER BY due_at, id LIMIT ?`,
		namespace,
		queries.now,
		limit,
	);
}

/**
 * Takes a due timer, in the transaction that does what it is for.
 * @returns false when it is gone or not due any more: somebody else fired, dropped or moved it
 */
export async function takeTimer(
	queries: Queries,
	namespace: string,
	{ kind, subject }: TimerRow,
): Promise<boolean> {
	const { changes } = await queries.run(
		'DELETE FROM timers WHERE namespace = ? AND kind = ? AND subject = ? AND due_at <= ?',
		namespace,
		kind,
		subject,
		queries.now,
	);
	return changes === 1;
}

/** When the next timer is due, milliseconds since the epoch. */
export async function nextTimerDueAt(
	queries: Queries,
	namespace: string,
): Promise<number | undefined> {
	const row = await queries.get<{ at: number | null }>(
		'SELECT min(due_at) AS at FROM timers WHERE namespace = ?',
		namespace,
	);
	return row?.at ?? undefined;
}
