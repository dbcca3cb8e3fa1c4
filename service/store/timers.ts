/** SQL of `timers`: durable future firings. A timer is taken by deleting it, so it fires once. */
import type { Queries } from './database';

/** The subject of each is a gate id: its deadline, and the next time that people are reminded of it. */
export type TimerKind = 'gate_deadline' | 'gate_reminder';

export interface TimerRow {
	kind: TimerKind;
	subject: string;
}

/** One timer of a kind for each subject: setting it again moves it. */
export async function setTimer(
	queries: Queries,
	namespace: string,
	kind: TimerKind,
	subject: string,
	dueAt: number,
): Promise<void> {
	await queries.run(
		`INSERT INTO timers (namespace, kind, subject, due_at) VALUES (?, ?, ?, ?)
		 ON CONFLICT (namespace, kind, subject) DO UPDATE SET due_at = excluded.due_at`,
		namespace,
		kind,
		subject,
		dueAt,
	);
}

/** Drops every timer of a subject. */
export async function dropTimers(
	queries: Queries,
	namespace: string,
	subject: string,
): Promise<void> {
	await queries.run(
		'DELETE FROM timers WHERE namespace = ? AND subject = ? AND kind IN (?, ?)',
		namespace,
		subject,
		'gate_deadline' satisfies TimerKind,
		'gate_reminder' satisfies TimerKind,
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
