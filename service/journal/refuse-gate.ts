import type { OpenGateRequest } from '../contract/gates';
import { findUnhashable, type Unhashable } from '../domain/canonical-json';
import { deadlineInstant } from '../domain/deadline';
import { resumeUrlRefusal } from '../domain/resume-url';
import type { Journal } from './journal';
import { JournalProblem } from './problem';

/** What is wrong with a request whatever the journal knows: no identity, or nobody to wake. */
export function refuseMalformedGate(request: OpenGateRequest): JournalProblem | undefined {
	const { runId, gate, input, title, message, resumeUrl } = request;
	const errors = findUnhashable({ runId, gate, input, title, message });
	const detail = resumeUrl === undefined ? undefined : resumeUrlRefusal(resumeUrl);
	if (detail) errors.push({ pointer: '/resumeUrl', detail });
	return invalid(errors);
}

/**
 * Why a gate that is not known yet cannot be opened as asked. What this version does not do is
 * refused here, never ignored: a reminder that does not come is worse than an error.
 * @returns the deadline, milliseconds since the epoch, or the problem
 */
export function refuseNewGate(
	journal: Pick<Journal, 'channelRefusal'>,
	request: OpenGateRequest,
	now: number,
): { deadlineAt: number | null } | JournalProblem {
	const errors = [...notBuilt(request), ...wrongApprovers(request)];
	const at = request.deadline ? deadlineInstant(request.deadline, now) : null;
	if (at !== null && typeof at === 'object')
		errors.push({ pointer: `/deadline${at.pointer}`, detail: at.detail });
	const problem = invalid(errors);
	if (problem) return problem;
	const refusal = journal.channelRefusal(request);
	if (refusal) return new JournalProblem('channel_unavailable', {}, refusal.replace(/\.$/, ''));
	return { deadlineAt: at as number | null };
}

function notBuilt(request: OpenGateRequest): Unhashable[] {
	const unavailable = 'is not available in this version: leave it out';
	const errors = (['editable', 'escalateTo', 'reminders'] as const)
		.filter((member) => request[member] !== undefined)
		.map((member) => ({ pointer: `/${member}`, detail: unavailable }));
	if (request.onDeadline === 'escalate')
		errors.push({
			pointer: '/onDeadline',
			detail: 'cannot be "escalate" in this version: use reject, approve, abort or wait',
		});
	return errors;
}

function wrongApprovers({ approvers = [], quorum = 1 }: OpenGateRequest): Unhashable[] {
	const names = approvers.map(({ name }) => name);
	// Approvals are counted by name: two people of one name would be one.
	const errors = names.flatMap((name, index) =>
		names.indexOf(name) < index
			? [{ pointer: `/approvers/${index}/name`, detail: 'names an approver twice' }]
			: [],
	);
	if (quorum > Math.max(names.length, 1))
		errors.push({ pointer: '/quorum', detail: 'is higher than the number of named approvers' });
	return errors;
}

function invalid(errors: Unhashable[]): JournalProblem | undefined {
	return errors.length > 0 ? new JournalProblem('invalid_request', { errors }) : undefined;
}
