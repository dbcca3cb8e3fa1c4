import type { Problem, ProblemCode } from '../../service/contract/problem';

/** What can go wrong before the journal itself answers. */
export type TransportCode = 'unreachable' | 'blocked' | 'not_a_journal' | 'bad_address';

export interface JournalErrorFacts {
	code: ProblemCode | TransportCode;
	/** HTTP status, where there was an answer. */
	status?: number;
	/** The journal's problem document, where it sent one. */
	problem?: Problem;
	/** Scheme, host and port of the journal; never a path, a query or a key. */
	origin: string;
	/** How long it was tried, in milliseconds. */
	triedMs?: number;
	/** True where the same request may succeed later. */
	retryable: boolean;
	/** Name of the step it is about. */
	step?: string;
	/** True where the step's effect may have happened before. */
	acted?: boolean;
}

/** The journal refused a request, or could not be asked. Carries facts; people get the sentence of `toNodeError`. */
export class JournalError extends Error {
	readonly code: ProblemCode | TransportCode;
	readonly status?: number;
	readonly problem?: Problem;
	readonly origin: string;
	readonly triedMs: number;
	readonly retryable: boolean;
	readonly step?: string;
	readonly acted: boolean;

	constructor(private readonly facts: JournalErrorFacts) {
		super(facts.problem?.detail ?? `journal: ${facts.code}`);
		this.name = 'JournalError';
		this.code = facts.code;
		this.status = facts.status;
		this.problem = facts.problem;
		this.origin = facts.origin;
		this.triedMs = facts.triedMs ?? 0;
		this.retryable = facts.retryable;
		this.step = facts.step;
		this.acted = facts.acted ?? false;
	}

	/** The same error, told which step it is about and whether that may have acted. */
	about(step: string, acted: boolean): JournalError {
		return new JournalError({ ...this.facts, step, acted });
	}
}

/** Adds to a journal's error which step it is about; other errors come back unchanged. */
export const aboutStep = (error: unknown, step: string, acted: boolean): unknown =>
	error instanceof JournalError ? error.about(step, acted) : error;

/** The body is larger than the journal accepts; a smaller one may do. */
export const isTooLarge = (error: unknown): boolean =>
	error instanceof JournalError && error.status === 413;
