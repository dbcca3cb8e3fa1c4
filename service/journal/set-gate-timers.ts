import type { OpenGateRequest } from '../contract/gates';
import { nextReminder } from '../domain/reminders';
import type { Queries } from '../store/database';
import type { GateRow } from '../store/gates';
import { setTimer } from '../store/timers';
import { NAMESPACE } from './journal';

type Timed = Pick<
	GateRow,
	'gate_id' | 'opened_at' | 'escalated_at' | 'deadline_at' | 'on_deadline'
>;

/**
 * Sets the timers of an open gate, as it now is: its deadline, and its next reminder.
 * Notify TIMERS_SET after the commit.
 */
export async function setGateTimers(
	queries: Queries,
	gate: Timed,
	request: Pick<OpenGateRequest, 'reminders'>,
): Promise<void> {
	const { gate_id: gateId, deadline_at: deadlineAt, on_deadline: onDeadline } = gate;
	if (deadlineAt !== null && onDeadline !== 'wait')
		await setTimer(queries, NAMESPACE, 'gate_deadline', gateId, deadlineAt);
	await setReminder(queries, gate, request);
}

/** Sets the timer of the next reminder alone. */
export async function setReminder(
	queries: Queries,
	gate: Timed,
	{ reminders = [] }: Pick<OpenGateRequest, 'reminders'>,
): Promise<void> {
	const { gate_id: gateId, opened_at, escalated_at, deadline_at } = gate;
	const openTime = { from: escalated_at ?? opened_at, until: deadline_at ?? undefined };
	const at = nextReminder(reminders, openTime, queries.now);
	if (at !== undefined) await setTimer(queries, NAMESPACE, 'gate_reminder', gateId, at);
}
