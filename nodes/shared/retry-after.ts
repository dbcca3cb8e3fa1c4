/** Longest pause that a server may ask for, in ms. */
const CAP_MS = 3_600_000;
const IMF_FIXDATE =
	/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Reads a Retry-After header: whole seconds or an HTTP date (RFC 9110, 10.2.3), capped at one hour.
 * Anything else (negative, fractional, words) is ignored: undefined.
 * @param value the header as received
 * @param now Unix epoch ms, for dates
 * @returns the pause in ms
 */
export function parseRetryAfter(value: unknown, now: number): number | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const text = String(value).trim();
	if (/^\d{1,10}$/.test(text)) return Math.min(Number(text) * 1000, CAP_MS);
	const instant = IMF_FIXDATE.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(instant) ? undefined : Math.min(Math.max(instant - now, 0), CAP_MS);
}
