/** What became of a call: its value, or what it threw. */
export type Attempted<T> = { ok: true; value: T } | { ok: false; error: unknown };

/** Turns a rejection into a value, for callers that decide by the kind of error. */
export async function attempt<T>(call: Promise<T>): Promise<Attempted<T>> {
	const [outcome] = await Promise.allSettled([call]);
	return outcome.status === 'fulfilled'
		? { ok: true, value: outcome.value }
		: { ok: false, error: outcome.reason as unknown };
}
