import { detailRows } from '../../domain/detail-rows';
import type { ShownGate } from '../../domain/shown-gate';
import {
	deadlineSentence,
	editedLines,
	outcomeSentence,
	outcomeTitle,
	progressSentences,
} from '../../domain/texts/gate-sentences';
import { wordsIn } from '../../domain/texts/words';
import { shorten, visibleLine, visibleText } from '../../domain/visible-text';
import { lengthOf, type Piece } from './styled-text';

/** https://core.telegram.org/bots/api#sendmessage: "1-4096 characters after entities parsing". */
const MAX_LENGTH = 4096;
const MAX_TITLE = 512;
const MAX_DETAILS = 1200;
const MAX_COMMENT = 600;
const MAX_EDITED = 600;

/**
 * What one message says about a gate as it now is: title, message, details, and when it ends or
 * what became of it. Message and details are shortened so that the whole fits.
 * @param linked whether the message carries a link to the whole
 */
export function gateMessage(gate: ShownGate, linked: boolean): Piece[] {
	const title = titleOf(gate);
	const end = ending(gate);
	const { shortened: shortenedNote, shortenedBehindLink } = wordsIn(gate.language);
	const note: Piece = { text: `\n\n${linked ? shortenedBehindLink : shortenedNote}` };
	const room = MAX_LENGTH - lengthOf([title, note, ...end]);
	const whole = visibleText(gate.message).trim();
	const message = shorten(whole, room - '\n\n'.length);
	const messagePieces: Piece[] = message === '' ? [] : [{ text: `\n\n${message}` }];
	const allDetails = detailLines(gate.input);
	const details = shorten(
		allDetails,
		Math.min(MAX_DETAILS, room - lengthOf(messagePieces) - '\n\n'.length),
	);
	const detailPieces: Piece[] =
		details === '' ? [] : [{ text: '\n\n' }, { text: details, style: 'quote' }];
	const shortened = message !== whole || details !== allDetails;
	return [title, ...messagePieces, ...detailPieces, ...(shortened ? [note] : []), ...end];
}

function detailLines(input: unknown): string {
	return detailRows(input)
		.map(({ depth, name, value }) => `${'  '.repeat(depth)}${name}: ${value ?? ''}`.trimEnd())
		.join('\n');
}

/** That a gate is still open, in reply to the message that shows it. */
export function reminderMessage(gate: ShownGate): Piece[] {
	const title = titleOf(gate);
	return [{ text: `⏰ ${wordsIn(gate.language).reminder}\n\n` }, title, ...ending(gate)];
}

function titleOf(gate: ShownGate): Piece {
	const text = shorten(visibleLine(gate.title) || visibleLine(gate.gate), MAX_TITLE);
	return { text, style: 'bold' };
}

function ending(gate: ShownGate): Piece[] {
	const { language } = gate;
	const heading = outcomeTitle(gate, language);
	if (heading === undefined) {
		const sentences = [...progressSentences(gate, language), deadlineSentence(gate, language)];
		const text = sentences.filter((sentence) => sentence !== undefined).join('\n');
		return text === '' ? [] : [{ text: `\n\n${text}` }];
	}
	const lines: Piece[] = [{ text: '\n\n' }, { text: `${mark(gate)} ${heading}`, style: 'bold' }];
	const sentence = outcomeSentence(gate, language);
	if (sentence !== undefined) lines.push({ text: `\n${sentence}` });
	const edited = editedLines(gate.decision?.difference ?? [], language).join('\n');
	if (edited !== '')
		lines.push({ text: `\n${wordsIn(language).edited}:\n${shorten(edited, MAX_EDITED)}` });
	const comment = visibleText(gate.decision?.comment ?? '').trim();
	if (comment !== '') lines.push({ text: `\n“${shorten(comment, MAX_COMMENT)}”` });
	if (gate.withoutEffect) lines.push({ text: `\n${wordsIn(language).withoutEffect}` });
	return lines;
}

function mark({ state }: ShownGate): string {
	return { approved: '✅', rejected: '❌', expired: '⏱', cancelled: '🚫', open: '' }[state];
}
