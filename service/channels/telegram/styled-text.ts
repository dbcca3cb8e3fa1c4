/** Text in pieces, so that its length after parsing is known before it is marked up. */
export interface Piece {
	readonly text: string;
	readonly style?: 'bold' | 'quote';
}

/** Telegram counts UTF-16 units after it has parsed the entities. */
export function lengthOf(pieces: readonly Piece[]): number {
	return pieces.reduce((sum, { text }) => sum + text.length, 0);
}

/** Telegram's HTML mode (https://core.telegram.org/bots/api#html-style): nothing but `& < >` is special. */
export function toHtml(pieces: readonly Piece[]): string {
	return pieces.map(({ text, style }) => wrap(escapeHtml(text), style)).join('');
}

/** The same without any markup, for when Telegram does not take the entities. */
export function toPlain(pieces: readonly Piece[]): string {
	return pieces.map(({ text }) => text).join('');
}

function escapeHtml(text: string): string {
	return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

function wrap(html: string, style: Piece['style']): string {
	if (style === 'bold') return `<b>${html}</b>`;
	if (style === 'quote') return `<blockquote expandable>${html}</blockquote>`;
	return html;
}
