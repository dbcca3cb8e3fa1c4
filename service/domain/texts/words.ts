/** The words of one language about gates, as `en.ts` and `es.ts` have them. */
import type { DecisionWord, Language, OnDeadline, Via } from '../../contract/gates';
import type { NotEntitled } from '../authority';
import { en } from './en';
import { es } from './es';

export interface Words {
	/** For dates and numbers, e.g. `en-GB`. */
	readonly locale: string;
	/** On buttons. */
	readonly button: Record<DecisionWord, string>;
	/** What became of it, in one or two words. */
	readonly decided: Record<DecisionWord, string>;
	readonly cancelled: string;
	readonly expired: string;
	readonly via: Record<Via, string>;
	/** By somebody without a name, who holds a link. */
	readonly byLink: string;
	readonly atDeadline: Record<OnDeadline, string>;
	decideBy(moment: string): string;
	decidedBy(who: string, moment: string): string;
	personVia(person: string, via: string): string;
	nobodyDecided(moment: string): string;
	readonly nothingToDecide: string;
	readonly superseded: string;
	readonly withoutEffect: string;
	/** How many of the approvals that it takes are there, and whose. */
	approvals(have: number, need: number, names: string): string;
	/** Others decide now. */
	passedOn(names: string): string;
	requestedBy(name: string): string;
	/** Heading of what an approver edited. */
	readonly edited: string;
	readonly reminder: string;
	readonly open: string;
	readonly shortened: string;
	readonly shortenedBehindLink: string;
	readonly notEntitled: Record<NotEntitled, string>;
	readonly unknownButton: string;
	readonly yes: string;
	readonly no: string;
}

const WORDS: Record<Language, Words> = { en, es };

/** @param language undefined: English */
export function wordsIn(language: Language | undefined): Words {
	return WORDS[language ?? 'en'];
}
