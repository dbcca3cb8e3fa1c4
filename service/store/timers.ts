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

/** Takes up to `limit` due timers, in the transaction that does what they are for. */
export async function takeDueTimers(
	queries: Queries,
	namespace: string,
	limit: number,
): Promise<TimerRow[]> {
	return await queries.all<TimerRow>(
		`DELETE FROM timers WHERE id IN (
			SELECT id FROM timers WHERE namespace = ? AND due_at <= ? ORDER BY due_at, id LIMIT ?)
		 RETURNING kind, subject`,
		namespace,
		queries.now,
		limit,
	);
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
