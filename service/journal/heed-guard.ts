/** A guard before a step is executed: at most one effect for a business key, whatever run asks. */
import type { ClaimAnswer, ClaimManyItem } from '../contract/steps';
import { guardSha256, judgeGuard } from '../domain/guard';
import { instant } from '../domain/instant';
import type { Queries, RunName } from '../store/database';
import { bindGuard, findGuardingStep } from '../store/guards';
import { findRunByRef } from '../store/runs';
import type { StepRow } from '../store/steps';
import { NAMESPACE } from './journal';
import { JournalProblem } from './problem';
import { replayAnswer } from './replay-step';
import { stepFacts } from './step-facts';

/** A step elsewhere gives no signal here, so its end is looked for this often. */
const LOOK_AGAIN_MS = 1_000;

/** What a claim writes about: its run, and its guard, which other runs may write about too. */
export function aboutClaim({ runId, step, guard }: ClaimManyItem): RunName[] {
	return [{ runId }, ...(guard ? [{ guardSha256: guardSha256(step, guard) }] : [])];
}

/**
 * To be called before a step is executed, also before a known one is executed again: another step
 * may have taken its place meanwhile.
 * @returns undefined where it may be executed, else the answer to the claim
 */
export async function heedGuard(
	queries: Queries,
	key: string,
	{ step: name, guard }: Pick<ClaimManyItem, 'step' | 'guard'>,
): Promise<ClaimAnswer | JournalProblem | undefined> {
	if (!guard) return undefined;
	const last = await findGuardingStep(queries, NAMESPACE, guardSha256(name, guard));
	return last && last.key !== key ? await answerRepeat(queries, last, guard) : undefined;
}

/** To be called when the step is executed: from now on it stands in the way of others. */
export function takeGuard(
	queries: Queries,
	step: Pick<StepRow, 'run_ref' | 'key'>,
	{ step: name, guard }: Pick<ClaimManyItem, 'step' | 'guard'>,
): void {
	if (guard) bindGuard(queries, NAMESPACE, guardSha256(name, guard), step);
}

async function answerRepeat(
	queries: Queries,
	last: StepRow,
	{ withinMs, onRepeat }: NonNullable<ClaimManyItem['guard']>,
): Promise<ClaimAnswer | JournalProblem | undefined> {
	const judged = judgeGuard(stepFacts(last), withinMs, queries.now);
	if (judged === 'free') return undefined;
	const { run_id: runId } = (await findRunByRef(queries, last.run_ref))!;
	const other = { key: last.key, runId, step: last.step, attempt: last.attempt };
	const where = `step "${last.step}" of run "${runId}", under the same guard`;
	switch (judged) {
		case 'repeated': {
			if (onRepeat === 'replay') return { ...(await replayAnswer(queries, last.key, last)), runId };
			const completedAt = instant(last.settled_at!);
			return new JournalProblem(
				'step_repeated',
				{ ...other, completedAt },
				`It was done at ${completedAt} by ${where}`,
			);
		}
		case 'in_progress':
			return new JournalProblem(
				'step_in_progress',
				{ ...other, retryAfterMs: LOOK_AGAIN_MS },
				`It is being done by ${where}`,
			);
		case 'in_doubt':
			return new JournalProblem(
				'step_in_doubt',
				{ ...other, startedAt: instant(last.claimed_at) },
				`Nobody knows whether it was done by ${where}`,
			);
	}
}
