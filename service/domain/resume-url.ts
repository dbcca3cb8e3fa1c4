/** n8n's resume URLs: `<base>/webhook-waiting/<executionId>[/<suffix>]?signature=…`. They are secrets. */

const MARK = '/webhook-waiting/';

/** Why the text is no resume URL of n8n, or undefined when it is one. Never quotes the text. */
export function resumeUrlRefusal(text: string): string | undefined {
	const url = URL.parse(text);
	if (!url || !['http:', 'https:'].includes(url.protocol)) return 'is no http or https URL';
	if (!url.pathname.includes(MARK)) return `has no ${MARK} in its path: it is no resume URL of n8n`;
	return undefined;
}

/**
 * The URL to call: as given, or with everything before `/webhook-waiting/` replaced, since what n8n
 * believes of its own address is often wrong between two containers.
 * @param base http(s) URL, with or without a trailing slash
 */
export function reachableResumeUrl(text: string, base: string | undefined): string {
	if (base === undefined) return text;
	const { pathname, search } = new URL(text);
	const rest = pathname.slice(pathname.indexOf(MARK));
	return `${base.replace(/\/+$/, '')}${rest}${search}`;
}

/** The execution that a resume URL belongs to, as n8n names it. */
export function executionIdOf(text: string): string | undefined {
	const { pathname } = new URL(text);
	return pathname.slice(pathname.indexOf(MARK) + MARK.length).split('/')[0] || undefined;
}
