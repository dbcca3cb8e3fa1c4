/** The member `durable` that every durable node adds to its output items. */
export interface Durable {
	run: string;
	step: string;
	key: string;
	/** Which try of the step gave this result; the first is 1. */
	attempt: number;
	/** True where the result came from the journal, without executing. */
	replayed: boolean;
	/** RFC 3339 UTC. */
	completedAt: string;
	/** The other run whose result this is, by the option Once Per. */
	fromRun?: string;
	/** Index of the input item of the same call whose effect this one shares. */
	sameAs?: number;
}

/** Builds the member `durable` from a step's identity and its outcome. */
export function durableOutput(
	identity: { runId: string; step: string },
	outcome: {
		key: string;
		attempt: number;
		replayed: boolean;
		completedAt: string;
		fromRun?: string;
	},
	sameAs?: number,
): Durable {
	return {
		run: identity.runId,
		step: identity.step,
		key: outcome.key,
		attempt: outcome.attempt,
		replayed: outcome.replayed,
		completedAt: outcome.completedAt,
		...(outcome.fromRun !== undefined && { fromRun: outcome.fromRun }),
		...(sameAs !== undefined && { sameAs }),
	};
}
