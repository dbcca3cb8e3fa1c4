import type { Decision, DecisionWord, Gate } from '../contract/gates';
import { type DetailRow, detailRows } from '../domain/detail-rows';
import type { ShownGate } from '../domain/shown-gate';
import {
	answersOf,
	decidedBy,
	deadlineSentence,
	moment,
	outcomeSentence,
	outcomeTitle,
} from '../domain/texts/gate-sentences';
import { wordsIn } from '../domain/texts/words';
import { visibleLine, visibleText } from '../domain/visible-text';
import { duration, TEXTS } from './texts';

type Tone = 'open' | 'good' | 'bad' | 'quiet';
const TONE: Record<ShownGate['state'], Tone> = {
	open: 'open',
	approved: 'good',
	rejected: 'bad',
	expired: 'quiet',
	cancelled: 'quiet',
};

/** A gate as its page shows it. Every text is safe to show once escaped. */
export interface GateView {
	readonly tone: Tone;
	readonly status: string;
	readonly title: string;
	readonly message: string;
	readonly rows: readonly DetailRow[];
	readonly facts: ReadonlyArray<{ label: string; value: string }>;
	/** Time left until the deadline, or undefined when there is none. */
	readonly remaining: string | undefined;
	readonly deadline: string | undefined;
	readonly outcome:
		| {
				sentence: string | undefined;
				comment: string | undefined;
				withoutEffect: string | undefined;
		  }
		| undefined;
	/** Empty when this visitor cannot decide, or nobody can any more. */
	readonly answers: ReadonlyArray<{ word: DecisionWord; label: string; look: string }>;
	readonly commentLabel: string;
	readonly hint: string | undefined;
}

const LOOK: Record<DecisionWord, string> = {
	approve: 'yes',
	happened: 'yes',
	reject: 'no',
	stop: 'no',
	not_happened: 'plain',
	changes: 'plain',
};

/**
 * @param visitor the name under which this visitor decides, `link` for the holder of a link without
 *   named approvers, undefined for somebody who may only look
 * @param now milliseconds since the epoch
 */
export function gateView(gate: ShownGate, visitor: string | undefined, now: number): GateView {
	const open = gate.state === 'open';
	const { language } = gate;
	const { button, withoutEffect } = wordsIn(language);
	// The usual answer comes last: at the right end of the bar, under the thumb.
	const answers = open && visitor !== undefined ? [...answersOf(gate)].reverse() : [];
	return {
		tone: TONE[gate.state],
		status: outcomeTitle(gate, language) ?? TEXTS.waiting,
		title: visibleLine(gate.title) || visibleLine(gate.gate),
		message: visibleText(gate.message).trim(),
		rows: detailRows(gate.input),
		facts: facts(gate),
		remaining: open ? remaining(gate.deadlineAt, now) : undefined,
		deadline: open ? deadlineSentence(gate, language) : undefined,
		outcome: open
			? undefined
			: {
					sentence: outcomeSentence(gate, language),
					comment: visibleText(gate.decision?.comment ?? '').trim() || undefined,
					withoutEffect: gate.withoutEffect ? withoutEffect : undefined,
				},
		answers: answers.map((word) => ({ word, label: button[word], look: LOOK[word] })),
		commentLabel: gate.kind === 'in_doubt' ? TEXTS.commentDoubt : TEXTS.comment,
		hint: open ? hint(gate, visitor) : undefined,
	};
}

function hint({ kind }: ShownGate, visitor: string | undefined): string {
	if (visitor === undefined) return TEXTS.showsOnly;
	const who = visitor === 'link' ? TEXTS.decideByLink : TEXTS.decideAs(visibleLine(visitor));
	return kind === 'in_doubt' ? `${TEXTS.doubtExplained} ${who}` : who;
}

function facts({
	openedAt,
	timeZone,
	approvers,
	runId,
	gate,
	language,
}: ShownGate): GateView['facts'] {
	return [
		{ label: TEXTS.opened, value: moment(openedAt, timeZone, language) },
		{ label: TEXTS.approvers, value: approvers.map(visibleLine).join(', ') },
		{ label: TEXTS.run, value: visibleLine(runId) },
		{ label: TEXTS.gate, value: visibleLine(gate) },
	].filter(({ value }) => value !== '');
}

function remaining(deadlineAt: number | undefined, now: number): string | undefined {
	if (deadlineAt === undefined || deadlineAt <= now) return undefined;
	return TEXTS.left(duration(deadlineAt - now));
}

function shortBy(decision: Decision): string {
	if (decision.via === 'deadline') return TEXTS.byDeadline;
	return decision.via === 'link' ? decidedBy(decision, 'en') : visibleLine(decision.by);
}

/** A gate as one line of the inbox. */
export interface GateItem {
	readonly gateId: string;
	readonly tone: Tone;
	readonly status: string;
	readonly title: string;
	readonly excerpt: string;
	readonly when: string;
	readonly run: string;
}

export function gateItem(gate: Gate, now: number): GateItem {
	const shown = {
		state: gate.state,
		decision: gate.decision ?? undefined,
	};
	return {
		gateId: gate.gateId,
		tone: TONE[gate.state],
		status: outcomeTitle(shown, 'en') ?? TEXTS.waitingShort,
		title: visibleLine(gate.title) || visibleLine(gate.gate),
		excerpt: visibleLine(gate.message.slice(0, 300)),
		when: whenOf(gate, now),
		run: visibleLine(gate.runId),
	};
}

function whenOf({ state, deadline, openedAt, decision }: Gate, now: number): string {
	if (state !== 'open')
		return decision
			? `${shortBy(decision)}, ${moment(Date.parse(decision.at), 'UTC', 'en')}`
			: moment(Date.parse(openedAt), 'UTC', 'en');
	if (deadline !== null) return remaining(Date.parse(deadline), now) ?? '';
	return TEXTS.ago(duration(now - Date.parse(openedAt)));
}
