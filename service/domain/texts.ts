/** Every sentence that people read about a gate, in channels and on pages. English is the one language so far. */
import type { Decision, DecisionWord, GateKind, OnDeadline, Via } from '../contract/gates';
import type { ShownGate } from './shown-gate';
import { visibleLine } from './visible-text';

/** What a person may answer, in the order it is offered. */
export const ANSWERS: Record<GateKind, readonly DecisionWord[]> = {
	approval: ['approve', 'reject'],
	in_doubt: ['happened', 'not_happened', 'stop'],
};

/** On buttons. */
export const BUTTON: Record<DecisionWord, string> = {
	approve: 'Approve',
	reject: 'Reject',
	changes: 'Ask for changes',
	happened: 'It happened',
	not_happened: 'It did not happen',
	stop: 'Stop the step',
};

const DECIDED: Record<DecisionWord, string> = {
	approve: 'Approved',
	reject: 'Rejected',
	changes: 'Changes asked for',
	happened: 'It happened',
	not_happened: 'It did not happen',
	stop: 'Stopped',
};

const VIA: Record<Via, string> = {
	telegram: 'Telegram',
	slack: 'Slack',
	email: 'email',
	inbox: 'the inbox',
	link: 'a link',
	api: 'the API',
	deadline: 'the deadline',
};

const AT_DEADLINE: Record<OnDeadline, string> = {
	reject: 'After that it counts as not approved.',
	approve: 'After that it counts as approved.',
	abort: 'After that the run is cancelled.',
	escalate: 'After that others are asked.',
	wait: 'After that it stays open.',
};

/** E.g. `1 Jun 2027, 11:00 Europe/Madrid`. */
export function moment(ms: number, timeZone: string): string {
	const text = new Intl.DateTimeFormat('en-GB', {
		timeZone,
		day: 'numeric',
		month: 'short',
		year: 'numeric',
		hour: '2-digit',
		minute: '2-digit',
	}).format(ms);
	return `${text} ${timeZone}`;
}

/** When an open gate is settled without people, and how; undefined when it waits for ever. */
export function deadlineSentence(gate: ShownGate): string | undefined {
	if (gate.deadlineAt === undefined) return undefined;
	return `Decide by ${moment(gate.deadlineAt, gate.timeZone)}. ${AT_DEADLINE[gate.onDeadline]}`;
}

/** What became of a gate, in one or two words; undefined while it is open. */
export function outcomeTitle({
	state,
	decision,
}: Pick<ShownGate, 'state' | 'decision'>): string | undefined {
	if (state === 'open') return undefined;
	if (state === 'cancelled') return 'Cancelled';
	if (state === 'expired') return 'Not approved in time';
	return decision ? DECIDED[decision.decision] : state === 'approved' ? 'Approved' : 'Rejected';
}

/** Who decided, how and when; undefined while it is open or when nobody decided. */
export function outcomeSentence(gate: ShownGate): string | undefined {
	const { decision } = gate;
	if (gate.state === 'cancelled') return 'Nothing is to be decided here any more.';
	if (!decision) return undefined;
	const at = moment(Date.parse(decision.at), gate.timeZone);
	if (decision.via === 'deadline') return `Nobody decided before ${at}.`;
	return `Decided by ${decidedBy(decision)}, ${at}.`;
}

/** E.g. `Operator via Telegram`; the holder of a link without named approvers has no name. */
export function decidedBy({ by, via }: Decision): string {
	return via === 'link' && by === 'link' ? VIA.link : `${visibleLine(by)} via ${VIA[via]}`;
}

export const WITHOUT_EFFECT =
	'The decision is kept, but it had no effect: the execution that waited for it is gone from n8n.';
export const SHORTENED = 'This message is shortened.';
export const NOT_YOURS = 'You are not among those who may decide this.';
export const UNKNOWN_BUTTON = 'This button is not known any more.';
