import type { FailRequest, StateAnswer } from '../contract/steps';
import { instant } from '../domain/instant';
import { judgeFailure, reporter } from '../domain/step';
import type { Queries } from '../store/database';
import { endLook } from '../store/looks';
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
 * later, a final failure, or doubt. Of a look: `retryable` says that it did not happen, so that the
 * next attempt may start at once, and `in_doubt` that the look did not find out. The same report
 * again is harmless.
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
	const by = reporter(facts, request.fencingToken);
	if (!by) return new JournalProblem('lease_lost', { key, attempt: step.attempt });
	const outcome = judgeFailure(
		facts,
		{ maxAttempts: step.max_attempts, maxElapsedMs: step.max_elapsed_ms },
		request.verdict,
		queries.now,
		// Whoever looked has found a receiver that answers: nothing to wait for.
		by === 'look' ? 0 : random,
		request.retryAfterMs,
	);
	const nextAttemptAt = 'nextAttemptAt' in outcome ? outcome.nextAttemptAt : undefined;
	const errorJson = JSON.stringify(request.error);
	if (by === 'look' && outcome.state === 'in_doubt') endLook(queries, step, errorJson);
	else
		await settleStep(queries, step, {
			state: outcome.state,
			by: by === 'look' ? 'look' : 'holder',
			errorJson,
			exhausted: outcome.state === 'failed' && outcome.exhausted,
			...(nextAttemptAt !== undefined && { nextAttemptAt }),
		});
	await appendAudit(queries, run, `step.${outcome.state}`, key, {
		attempt: step.attempt,
		verdict: request.verdict,
		...(by === 'look' && { by }),
	});
	if (step.state === 'in_doubt' && outcome.state !== 'in_doubt')
		await closeInDoubtGate(queries, step);
	return stateAnswer(outcome.state, nextAttemptAt ?? null);
}

function isReportedAgain(step: StepRow, request: FailRequest): boolean {
	if (step.state === 'completed') return false;
	if (step.fencing_token === request.fencingToken) return step.settled_by === 'holder';
	if (step.look_token !== request.fencingToken || step.look_until !== null) return false;
	return step.state === 'in_doubt' ? step.look_error_json !== null : step.settled_by === 'look';
}

function stateAnswer(state: StepRow['state'], nextAttemptAt: number | null): StateAnswer {
	return { state, ...(nextAttemptAt !== null && { nextAttemptAt: instant(nextAttemptAt) }) };
}
