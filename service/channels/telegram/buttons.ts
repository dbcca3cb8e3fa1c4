import type { InlineKeyboardButton } from 'grammy/types';
import type { DecisionWord } from '../../contract/gates';
import type { ShownGate } from '../../domain/shown-gate';
import { answersOf } from '../../domain/texts/gate-sentences';
import { wordsIn } from '../../domain/texts/words';

/** One letter a decision: the data of a chat button is at most 64 bytes, and is never renamed. */
const LETTER: Partial<Record<DecisionWord, string>> = {
	approve: 'a',
	reject: 'r',
	changes: 'c',
	happened: 'h',
	not_happened: 'n',
	stop: 's',
};
const SIGN: Partial<Record<DecisionWord, string>> = {
	approve: '✅ ',
	reject: '❌ ',
	changes: '✏️ ',
};

export function buttonData(word: DecisionWord, shortId: string): string {
	return `${LETTER[word]}.${shortId}`;
}

/** @returns undefined for data that no button of ours carries */
export function parseButtonData(
	data: string | undefined,
): { word: DecisionWord; shortId: string } | undefined {
	const match = /^([a-z])\.([A-Za-z0-9_-]{16})$/.exec(data ?? '');
	const entry = Object.entries(LETTER).find(([, letter]) => letter === match?.[1]);
	return match && entry ? { word: entry[0] as DecisionWord, shortId: match[2]! } : undefined;
}

/**
 * The keyboard under an open gate: chat buttons when somebody hears them, and a link to the page.
 * @param shortId of the delivery, undefined when chat buttons would not be heard
 * @param link absolute URL of the page, undefined when a phone could not open it
 */
export function keyboard(
	gate: ShownGate,
	shortId: string | undefined,
	link: string | undefined,
): InlineKeyboardButton[][] {
	const { button, open } = wordsIn(gate.language);
	const rows: InlineKeyboardButton[][] = [];
	if (shortId !== undefined) {
		const answers = answersOf(gate).map((word) => ({
			text: `${SIGN[word] ?? ''}${button[word]}`,
			callback_data: buttonData(word, shortId),
		}));
		if (answers.length <= 2) rows.push(answers);
		else rows.push(...answers.map((answer) => [answer]));
	}
	if (link !== undefined) rows.push([{ text: open, url: link }]);
	return rows;
}
