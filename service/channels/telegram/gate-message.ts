import { detailRows } from '../../domain/detail-rows';
import type { ShownGate } from '../../domain/shown-gate';
import {
	deadlineSentence,
	outcomeSentence,
	outcomeTitle,
	SHORTENED,
	WITHOUT_EFFECT,
} from '../../domain/texts';
import { shorten, visibleLine, visibleText } from '../../domain/visible-text';
import { lengthOf, type Piece } from './styled-text';

/** https://core.telegram.org/bots/api#sendmessage: "1-4096 characters after entities parsing". */
const MAX_LENGTH = 4096;
const MAX_TITLE = 512;
const MAX_DETAILS = 1200;
const MAX_COMMENT = 600;

/**
 * What one message says about a gate as it now is: title, message, details, and when it ends or
 * what became of it. Message and details are shortened so that the whole fits.
 */
export function gateMessage(gate: ShownGate): Piece[] {
	const title: Piece = {
		text: shorten(visibleLine(gate.title) || visibleLine(gate.gate), MAX_TITLE),
		style: 'bold',
	};
	const end = ending(gate);
	const note: Piece = { text: `\n\n${SHORTENED}` };
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

function ending(gate: ShownGate): Piece[] {
	const heading = outcomeTitle(gate);
	if (heading === undefined) {
		const deadline = deadlineSentence(gate);
		return deadline === undefined ? [] : [{ text: `\n\n${deadline}` }];
	}
	const lines: Piece[] = [{ text: '\n\n' }, { text: `${mark(gate)} ${heading}`, style: 'bold' }];
	const sentence = outcomeSentence(gate);
	if (sentence !== undefined) lines.push({ text: `\n${sentence}` });
	const comment = visibleText(gate.decision?.comment ?? '').trim();
	if (comment !== '') lines.push({ text: `\n“${shorten(comment, MAX_COMMENT)}”` });
	if (gate.withoutEffect) lines.push({ text: `\n${WITHOUT_EFFECT}` });
	return lines;
}

function mark({ state }: ShownGate): string {
	return { approved: '✅', rejected: '❌', expired: '⏱', cancelled: '🚫', open: '' }[state];
}
