import type { Verdict } from '../../service/contract/steps';
import { JournalError } from './journal-error';
import { StepStopped, type StopKind } from './step-stopped';

/** What stopped a step, for workflows that decide by it; the sentence beside it is for people. */
export interface ErrorFacts {
	/** Stable; a code of the journal where it is the journal's refusal. */
	code: string;
	/** Whether running again may help, must not happen, or is a person's to decide. */
	verdict: Verdict;
	step?: string;
	key?: string;
	attempt?: number;
	/** RFC 3339 UTC. */
	nextAttemptAt?: string;
}

const STOPPED: Record<StopKind, Pick<ErrorFacts, 'code' | 'verdict'>> = {
	in_doubt: { code: 'step_in_doubt', verdict: 'in_doubt' },
	failed: { code: 'step_failed', verdict: 'terminal' },
	waiting_retry: { code: 'step_waiting_retry', verdict: 'retryable' },
	// Whoever settled it has left a result or a reason, which running again finds.
	overtaken: { code: 'lease_lost', verdict: 'retryable' },
	result_omitted: { code: 'result_omitted', verdict: 'terminal' },
};

const DOUBTS = new Set(['step_in_doubt', 'step_unsettled']);

function verdictOf({ code, acted, retryable }: JournalError): Verdict {
	if (DOUBTS.has(code) || acted) return 'in_doubt';
	return retryable ? 'retryable' : 'terminal';
}

/** The facts of an error that a step ended with; undefined where it is not about a step. */
export function errorFacts(error: unknown): ErrorFacts | undefined {
	if (error instanceof StepStopped) {
		const { kind, step, key, attempt, nextAttemptAt } = error.facts;
		return { ...STOPPED[kind], step, key, attempt, ...(nextAttemptAt && { nextAttemptAt }) };
	}
	if (!(error instanceof JournalError)) return undefined;
	const { code, step, problem } = error;
	const key = problem?.key ?? problem?.previousKey;
	return {
		code,
		verdict: verdictOf(error),
		...(step && { step }),
		...(key && { key }),
		...(problem?.attempt !== undefined && { attempt: problem.attempt }),
		...(problem?.nextAttemptAt && { nextAttemptAt: problem.nextAttemptAt }),
	};
}
