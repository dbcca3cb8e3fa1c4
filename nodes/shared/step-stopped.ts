import type { StepError } from '../../service/contract/steps';

/** Why a node stops at a step although the journal answered. */
export type StopKind =
	/** The effect may or may not have happened. */
	| 'in_doubt'
	/** It failed, and trying again in this execution is pointless. */
	| 'failed'
	/** Its next attempt is further away than the node may wait. */
	| 'waiting_retry'
	/** Somebody else settled the step while it was running here. */
	| 'overtaken'
	/** It was completed, but its result was too large for the journal. */
	| 'result_omitted';

export interface StopFacts {
	kind: StopKind;
	step: string;
	key: string;
	attempt: number;
	/** Scheme, host and port of the journal. */
	origin: string;
	error?: StepError;
	nextAttemptAt?: string;
}

/** A step that cannot go on in this execution. Carries facts; people get the sentence of `toNodeError`. */
export class StepStopped extends Error {
	readonly facts: StopFacts;

	constructor(facts: StopFacts) {
		super(`step ${facts.kind}`);
		this.name = 'StepStopped';
		this.facts = facts;
	}
}
