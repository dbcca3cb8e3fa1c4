import type { ClaimAnswer, ClaimRequest } from '../contract/steps';
import { claimInTransaction } from './claim-in-transaction';
import { withNewInputs } from './deposit-payloads';
import { doubtDeadHolder } from './doubt-dead-holder';
import { aboutClaim } from './heed-guard';
import { identifyStep } from './identify-step';
import type { Journal } from './journal';
import { JournalProblem, orThrow } from './problem';
import { replayStep } from './replay-step';
import { runFenced, signalPassedDeadlines, stepSettled } from './topics';

/** While a claim waits, n8n is asked this often whether the holder still lives. */
const HOLDER_LOOK_MS = 2_000;

/**
 * Claims a step: the right to execute it, its stored result, or its stored failure. While another
 * caller executes it, or people are asked whether it happened, waits up to `waitMs` for the outcome.
 * @throws JournalProblem as the contract lists for POST /v1/steps/claim
 */
export async function claimStep(journal: Journal, request: ClaimRequest): Promise<ClaimAnswer> {
	const identity = orThrow(identifyStep(request));
	let remainingMs = request.waitMs ?? 0;
	for (;;) {
		const settled =
			remainingMs > 0
				? journal.signals.subscribe(stepSettled(identity.key), runFenced(request.runId))
				: undefined;
		try {
			const replay = await replayStep(journal, request, identity);
			if (replay) return replay;
			const answer = await withNewInputs(
				journal.database,
				[{ key: identity.key, input: request.input }],
				async () =>
					await journal.database.write(
						aboutClaim(request),
						async (queries) => await claimInTransaction(queries, request, identity),
					),
			);
			if (request.gateId !== undefined)
				signalPassedDeadlines(journal.signals, request.runId, answer);
			if (isHeld(answer, identity.key)) {
				const asked = performance.now();
				if (await doubtDeadHolder(journal, identity.key, request.meta?.executionId)) continue;
				remainingMs = Math.max(0, remainingMs - (performance.now() - asked));
			}
			if (!settled || !(answer instanceof JournalProblem) || !somebodyMaySettle(answer))
				return orThrow(answer);
			if (journal.signals.ended)
				throw new JournalProblem('store_busy', {}, 'The journal is stopping');
			const most = journal.endedExecution ? HOLDER_LOOK_MS : remainingMs;
			const until = Math.max(1, answer.members.retryAfterMs ?? remainingMs);
			const waitMs = Math.min(remainingMs, until, most);
			// At least one, so that signals in a row cannot keep a caller for ever.
			remainingMs -= Math.max(1, await settled.until(waitMs));
		} finally {
			settled?.close();
		}
	}
}

const isHeld = (answer: ClaimAnswer | JournalProblem, key: string): boolean =>
	answer instanceof JournalProblem &&
	answer.code === 'step_in_progress' &&
	answer.members.key === key;

/** Another caller that executes the step, people who were asked about it, or one who may look soon. */
const somebodyMaySettle = ({ code, members }: JournalProblem): boolean =>
	code === 'step_in_progress' ||
	(code === 'step_in_doubt' && (members.gateId ?? members.lookAt) !== undefined);
