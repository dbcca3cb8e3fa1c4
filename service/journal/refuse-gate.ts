import type { Approver, OpenGateRequest } from '../contract/gates';
import { isSamePerson } from '../domain/authority';
import { findUnhashable, type Unhashable } from '../domain/canonical-json';
import { deadlineInstant } from '../domain/deadline';
import { durationMs } from '../domain/duration';
import { refuseEditable } from '../domain/editing';
import { refuseReminders } from '../domain/reminders';
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
 * Why a gate that is not known yet cannot be opened as asked. What cannot be kept is refused here,
 * never ignored: a reminder that does not come is worse than an error.
 * @returns the deadline, milliseconds since the epoch, or the problem
 */
export function refuseNewGate(
	journal: Pick<Journal, 'channelRefusal'>,
	request: OpenGateRequest,
	now: number,
): { deadlineAt: number | null } | JournalProblem {
	const { deadline, reminders = [], channels, approvers, escalateTo } = request;
	const at = deadline ? deadlineInstant(deadline, now) : null;
	const errors = [
		...(at !== null && typeof at === 'object' ? under('/deadline', [at]) : []),
		...wrongPeople(request),
		...wrongEscalation(request),
		...under('/reminders', refuseReminders(reminders, deadline !== undefined)),
		...under('/editable', wrongEditable(request)),
	];
	const problem = invalid(errors);
	if (problem) return problem;
	const refusal =
		journal.channelRefusal({ channels, approvers }) ??
		(escalateTo && journal.channelRefusal({ channels, approvers: escalateTo.approvers }));
	if (refusal) return new JournalProblem('channel_unavailable', {}, refusal.replace(/\.$/, ''));
	return { deadlineAt: at as number | null };
}

function wrongPeople(request: OpenGateRequest): Unhashable[] {
	const { approvers = [], escalateTo, quorum = 1, rejection, requester } = request;
	const errors = [
		...under('/approvers', namedTwice(approvers)),
		...under('/escalateTo/approvers', namedTwice(escalateTo?.approvers ?? [])),
	];
	const voters = (people: readonly Approver[]) =>
		people.filter((person) => !isSamePerson(person, requester)).length;
	if (requester && approvers.length === 0)
		errors.push({ pointer: '/requester', detail: 'needs named approvers to be told from' });
	else if (requester && voters(approvers) === 0)
		errors.push({ pointer: '/approvers', detail: 'names nobody but the requester' });
	if (rejection === 'counts' && approvers.length === 0)
		errors.push({ pointer: '/rejection', detail: 'needs named approvers to be counted' });
	if (quorum > Math.max(voters(approvers), 1))
		errors.push({
			pointer: '/quorum',
			detail: 'is higher than the number of named approvers who may decide',
		});
	if (escalateTo && quorum > voters(escalateTo.approvers))
		errors.push({
			pointer: '/escalateTo/approvers',
			detail: 'has fewer people who may decide than the quorum',
		});
	return errors;
}

/** Approvals are counted by name: two people of one name would be one. */
function namedTwice(approvers: readonly Approver[]): Unhashable[] {
	const names = approvers.map(({ name }) => name);
	return names.flatMap((name, index) =>
		names.indexOf(name) < index
			? [{ pointer: `/${index}/name`, detail: 'names an approver twice' }]
			: [],
	);
}

function wrongEscalation({ onDeadline, escalateTo, deadline }: OpenGateRequest): Unhashable[] {
	const errors: Unhashable[] = [];
	if ((onDeadline === 'escalate') !== (escalateTo !== undefined))
		errors.push({ pointer: '/escalateTo', detail: 'and onDeadline "escalate" need each other' });
	if (onDeadline === 'escalate' && !deadline)
		errors.push({ pointer: '/deadline', detail: 'is missing: when shall others be asked?' });
	if (escalateTo && !((durationMs(escalateTo.in) ?? 0) > 0))
		errors.push({ pointer: '/escalateTo/in', detail: 'is no duration above zero, such as PT3H' });
	return errors;
}

function wrongEditable({ editable, input, quorum = 1 }: OpenGateRequest): Unhashable[] {
	if (editable === undefined) return [];
	if (quorum > 1)
		return [{ pointer: '', detail: 'needs a quorum of 1: several would approve different things' }];
	return refuseEditable(editable, input);
}

function under(pointer: string, errors: readonly Unhashable[]): Unhashable[] {
	return errors.map((error) => ({ ...error, pointer: `${pointer}${error.pointer}` }));
}

function invalid(errors: Unhashable[]): JournalProblem | undefined {
	return errors.length > 0 ? new JournalProblem('invalid_request', { errors }) : undefined;
}
