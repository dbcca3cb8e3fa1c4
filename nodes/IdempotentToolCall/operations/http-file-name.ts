const decoded = (text: string): string | undefined => {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
};

/** The last part: a receiver's name must not lead into folders. */
const lastPart = (path: string | undefined) => path?.split(/[/\\]/).at(-1)?.trim() || undefined;

/** The name in a Content-Disposition header (RFC 6266): the one with a character set first. */
function nameInHeader(header: unknown): string | undefined {
	if (typeof header !== 'string') return undefined;
	const [, extended] = /(?:^|;)\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header) ?? [];
	const name = extended && lastPart(decoded(extended));
	if (name) return name;
	const [, quoted, plain] =
		/(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header) ?? [];
	return lastPart(quoted?.replace(/\\(.)/g, '$1') ?? plain);
}

/**
 * Name of a downloaded file.
 * @param header Content-Disposition as received
 * @param url where it came from: its last part is the name where the header has none
 */
export const fileNameOf = (header: unknown, url: string): string | undefined =>
	nameInHeader(header) ?? lastPart(decoded(URL.parse(url)?.pathname ?? ''));
