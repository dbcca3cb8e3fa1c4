import type { FailRequest, StateAnswer } from '../contract/steps';
import { instant } from '../domain/instant';
import { judgeFailure, mayReport } from '../domain/step';
import type { Queries } from '../store/database';
import { settleStep, type StepRow } from '../store/steps';
import { appendAudit } from './append-audit';
import { closeInDoubtGate } from './close-in-doubt-gate';
import { findStepWithRun } from './find-step-with-run';
import type { Journal } from './journal';
import { JournalProblem, orThrow } from './problem';
import { stepFacts } from './step-facts';
import { stepSettled } from './topics';

/**
 * Records that the attempt holding `fencingToken` failed, and what follows from it: another attempt
 * later, a final failure, or doubt. The same report again is harmless.
 * @throws JournalProblem lease_lost, not_found
 */
export async function failStep(
	journal: Journal,
	key: string,
	request: FailRequest,
): Promise<StateAnswer> {
	const answer = await journal.database.write(
		[{ stepKey: key }],
		async (queries) => await failInTransaction(queries, key, request, journal.random()),
	);
	journal.signals.notify(stepSettled(key));
	return orThrow(answer);
}

async function failInTransaction(
	queries: Queries,
	key: string,
	request: FailRequest,
	random: number,
): Promise<StateAnswer | JournalProblem> {
	const found = await findStepWithRun(queries, key);
	if (found instanceof JournalProblem) return found;
	const { step, run } = found;
	const facts = stepFacts(step);
	if (isReportedAgain(step, request)) return stateAnswer(step.state, step.next_attempt_at);
	if (!mayReport(facts, request.fencingToken))
		return new JournalProblem('lease_lost', { key, attempt: step.attempt });
	const outcome = judgeFailure(
		facts,
		{ maxAttempts: step.max_attempts, maxElapsedMs: step.max_elapsed_ms },
		request.verdict,
		queries.now,
		random,
		request.retryAfterMs,
	);
	const nextAttemptAt = 'nextAttemptAt' in outcome ? outcome.nextAttemptAt : undefined;
	await settleStep(queries, step, {
		state: outcome.state,
		by: 'holder',
		errorJson: JSON.stringify(request.error),
		exhausted: outcome.state === 'failed' && outcome.exhausted,
		...(nextAttemptAt !== undefined && { nextAttemptAt }),
	});
	await appendAudit(queries, run, `step.${outcome.state}`, key, {
		attempt: step.attempt,
		verdict: request.verdict,
	});
	if (step.state === 'in_doubt' && outcome.state !== 'in_doubt')
		await closeInDoubtGate(queries, step);
	return stateAnswer(outcome.state, nextAttemptAt ?? null);
}

function isReportedAgain(step: StepRow, request: FailRequest): boolean {
	return (
		step.fencing_token === request.fencingToken &&
		step.settled_by === 'holder' &&
		step.state !== 'completed'
	);
}

function stateAnswer(state: StepRow['state'], nextAttemptAt: number | null): StateAnswer {
	return { state, ...(nextAttemptAt !== null && { nextAttemptAt: instant(nextAttemptAt) }) };
}
