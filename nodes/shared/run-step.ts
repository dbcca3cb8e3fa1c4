import type { Usage } from '../../service/contract/steps';
import { attempt } from './attempt';
import { claimStep, type Execute, type Replay, type StepRequest } from './claim-step';
import type { Classification } from './classify-error';
import type { JournalClient } from './journal-client';
import { keepLease } from './keep-lease';
import type { LookUp } from './look-up';
import { completeStep, failForNow, type Held } from './settle-step';

export interface StepOutcome<T> {
	result: T;
	key: string;
	attempt: number;
	/** True where the result came from the journal, without acting. */
	replayed: boolean;
	/** RFC 3339 UTC. */
	completedAt: string;
	/** The other run that the result comes from. */
	fromRun?: string;
	/** True where the result was too large for the journal; a later execution will not get it. */
	omitted: boolean;
}

export interface RunStepOptions {
	/** Judges what `act` threw; see `classifyError`. */
	classify: (error: unknown) => Classification;
	/** How long to wait for another holder or for the next attempt, in ms. */
	waitMs: number;
	/** How to find out whether a step in doubt happened, for onInDoubt "verify". */
	lookUp?: LookUp | undefined;
}

type Facts = Omit<StepOutcome<unknown>, 'result'>;

/** What is said of a step whose result came from the journal. */
export const replayFacts = ({ key, attempt, completedAt, runId }: Replay): Facts => ({
	key,
	attempt,
	replayed: true,
	completedAt,
	...(runId !== undefined && { fromRun: runId }),
	omitted: false,
});

/** What is said of a step that was executed and recorded just now. */
export const executedFacts = ({ key, attempt }: Held, kept: boolean): Facts => ({
	key,
	attempt,
	replayed: false,
	completedAt: new Date().toISOString(),
	omitted: !kept,
});

/**
 * Runs one step under the journal: claims it, then replays the stored result, or acts and records
 * the outcome. An action that failed in a retryable way is repeated when the journal says so, as
 * long as `waitMs` allows. Everything else is thrown: `StepStopped` or `JournalError`.
 * `act` gets the claim (its key can be sent along) and returns a JSON result.
 */
export async function runStep<T>(
	client: JournalClient,
	request: StepRequest,
	act: (claim: Execute) => Promise<{ result: T; usage?: Usage }>,
	options: RunStepOptions,
): Promise<StepOutcome<T>> {
	const giveUpAt = Date.now() + options.waitMs;
	for (;;) {
		const left = Math.max(0, giveUpAt - Date.now());
		const claim = await claimStep(client, request, left, options.lookUp);
		if (claim.outcome === 'replay') return { ...replayFacts(claim), result: claim.result as T };
		const held = { ...claim, step: request.step };
		const acted = await attempt(keepLease(client, held, request.leaseMs, act(claim)));
		if (!acted.ok) {
			const error = options.classify(acted.error);
			await failForNow(client, held, error, request.onInDoubt, giveUpAt);
			continue;
		}
		const { result, usage } = acted.value;
		const kept = await completeStep(client, held, result, usage);
		return { ...executedFacts(held, kept), result };
	}
}
