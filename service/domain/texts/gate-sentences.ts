/** Every sentence that people read about a gate, in channels and on pages. */
import type { Decision, Difference, DecisionWord, Language } from '../../contract/gates';
import type { ShownGate } from '../shown-gate';
import { visibleLine } from '../visible-text';
import { wordsIn } from './words';

/** What a person may answer, in the order it is offered. */
export function answersOf({
	kind,
	offersChanges,
}: Pick<ShownGate, 'kind' | 'offersChanges'>): readonly DecisionWord[] {
	if (kind === 'in_doubt') return ['happened', 'not_happened', 'stop'];
	return offersChanges ? ['approve', 'reject', 'changes'] : ['approve', 'reject'];
}

/** E.g. `1 Jun 2027, 11:00 Europe/Madrid`. */
export function moment(ms: number, timeZone: string, language: Language | undefined): string {
	const text = new Intl.DateTimeFormat(wordsIn(language).locale, {
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
export function deadlineSentence(
	gate: ShownGate,
	language: Language | undefined,
): string | undefined {
	if (gate.deadlineAt === undefined) return undefined;
	const { decideBy, atDeadline } = wordsIn(language);
	return `${decideBy(moment(gate.deadlineAt, gate.timeZone, language))} ${atDeadline[gate.onDeadline]}`;
}

/** What people have said of an open gate so far: approvals of a quorum, and that it was passed on. */
export function progressSentences(gate: ShownGate, language: Language | undefined): string[] {
	const { approvals, passedOn } = wordsIn(language);
	const sentences: string[] = [];
	if (gate.escalatedAt !== undefined) sentences.push(passedOn(namesOf(gate.approvers)));
	if (gate.quorum > 1)
		sentences.push(approvals(gate.approvedBy.length, gate.quorum, namesOf(gate.approvedBy)));
	return sentences;
}

/** What became of a gate, in one or two words; undefined while it is open. */
export function outcomeTitle(
	{ state, decision }: Pick<ShownGate, 'state' | 'decision'>,
	language: Language | undefined,
): string | undefined {
	const { cancelled, expired, decided } = wordsIn(language);
	if (state === 'open') return undefined;
	if (state === 'cancelled') return cancelled;
	if (state === 'expired') return expired;
	return decided[decision?.decision ?? (state === 'approved' ? 'approve' : 'reject')];
}

/** Who decided, how and when; undefined while it is open or when nobody decided. */
export function outcomeSentence(
	gate: ShownGate,
	language: Language | undefined,
): string | undefined {
	const words = wordsIn(language);
	const { decision } = gate;
	if (gate.state === 'cancelled') return gate.superseded ? words.superseded : words.nothingToDecide;
	if (!decision) return undefined;
	const at = moment(Date.parse(decision.at), gate.timeZone, language);
	if (decision.via === 'deadline') return words.nobodyDecided(at);
	return words.decidedBy(decidedBy(decision, language), at);
}

/** E.g. `Operator via Telegram`; the holder of a link without named approvers has no name. */
export function decidedBy({ by, via }: Decision, language: Language | undefined): string {
	const words = wordsIn(language);
	if (by === 'link' && (via === 'link' || via === 'email')) return words.byLink;
	return words.personVia(visibleLine(by), words.via[via]);
}

/** What an approver edited, one line a member, e.g. `amount: 1200 → 900`. */
export function editedLines(
	difference: readonly Difference[],
	language: Language | undefined,
): string[] {
	return difference.map(({ pointer, before, after }) => {
		const name = pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
		return `${visibleLine(name)}: ${valueOf(before, language)} → ${valueOf(after, language)}`;
	});
}

function valueOf(value: unknown, language: Language | undefined): string {
	const { yes, no } = wordsIn(language);
	if (value === undefined) return '–';
	if (typeof value === 'boolean') return value ? yes : no;
	return visibleLine(typeof value === 'string' ? value : JSON.stringify(value));
}

function namesOf(names: readonly string[]): string {
	return names.map(visibleLine).join(', ');
}
