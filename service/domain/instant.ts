/** RFC 3339 UTC with milliseconds, the one form of instants on the wire. */
export function instant(ms: number): string {
	return new Date(ms).toISOString();
}
