/**
 * Text by strangers, made safe to show: what would reorder, hide or overwrite its neighbours
 * (https://www.unicode.org/reports/tr36/, "Bidirectional Text Spoofing") is shown as a mark
 * instead. Escaping for HTML comes after this, where the text is put into a page or a message.
 */

/** Control characters without tab and line feed, bidirectional controls, invisible separators, tags. */
const UNSEEN =
	/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;
const MARK = '\ufffd';

/** Several lines: line ends become `\n`, everything unseen becomes a visible mark. */
export function visibleText(text: string): string {
	return text.toWellFormed().replace(/\r\n?/g, '\n').replace(UNSEEN, MARK);
}

/** One line: as visibleText, and every run of white space becomes one space. */
export function visibleLine(text: string): string {
	return visibleText(text).replace(/\s+/g, ' ').trim();
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** How far back from the limit a line or word end is looked for. */
const SEARCH_BACK = 200;

/**
 * Shortens text to at most `limit` UTF-16 units, ending in `…`: at a line or word end if one is
 * near, never inside what a reader sees as one character.
 */
export function shorten(text: string, limit: number): string {
	if (text.length <= limit) return text;
	if (limit < 1) return '';
	const end = limit - 1;
	const from = Math.max(0, end - SEARCH_BACK);
	const boundary = text.slice(from, end + 1).search(/\s\S*$/);
	if (boundary > 0) return `${text.slice(0, from + boundary).trimEnd()}…`;
	const cut = graphemes.segment(text.slice(from)).containing(end - from)?.index ?? 0;
	// A single character longer than the window: cut between code points, anything else loses all.
	return `${(cut > 0 ? text.slice(0, from + cut) : text.slice(0, end)).toWellFormed()}…`;
}
