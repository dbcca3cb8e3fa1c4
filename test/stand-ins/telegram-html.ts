/** Parses Telegram's HTML mode as its servers do: unknown tags, stray `<` and wrong nesting are refused. */

const TAGS = new Set([
	...['b', 'strong', 'i', 'em', 'u', 'ins', 's', 'strike', 'del', 'a', 'code', 'pre'],
	...['tg-spoiler', 'tg-emoji', 'span', 'blockquote'],
]);
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' };

/** @returns the text without entities, or undefined when Telegram "can't parse entities" */
export function parseTelegramHtml(html: string): string | undefined {
	const open: string[] = [];
	let text = '';
	let rest = html;
	while (rest !== '') {
		const plain = /^[^<&]+/.exec(rest)?.[0];
		if (plain !== undefined) {
			text += plain;
			rest = rest.slice(plain.length);
			continue;
		}
		if (rest.startsWith('&')) {
			const entity = /^&(?:#(\d+)|#x([0-9a-fA-F]+)|([a-z]+));/.exec(rest);
			const character = entity && decode(entity);
			text += character ?? '&';
			rest = rest.slice(character === undefined ? 1 : entity![0].length);
			continue;
		}
		const tag =
			/^<(\/?)([a-z][a-z-]*)((?:\s+[a-z-]+(?:=(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+))?)*)\s*>/.exec(
				rest,
			);
		if (!tag || !TAGS.has(tag[2]!)) return undefined;
		if (tag[1] === '/') {
			if (open.pop() !== tag[2]) return undefined;
		} else open.push(tag[2]!);
		rest = rest.slice(tag[0].length);
	}
	return open.length === 0 ? text : undefined;
}

function decode([, decimal, hex, name]: RegExpExecArray): string | undefined {
	if (name !== undefined) return ENTITIES[name];
	const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
	return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
