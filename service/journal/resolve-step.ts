import type { ResolveRequest, StateAnswer } from '../contract/steps';
import { instant } from '../domain/instant';
import { runMayBecome } from '../domain/run';
import { mayResolve } from '../domain/step';
import type { Queries } from '../store/database';
import { storePayload } from '../store/payloads';
import type { RunRow } from '../store/runs';
import { settleStep, type Settlement, type StepRow } from '../store/steps';
import { appendAudit } from './append-audit';
import { closeInDoubtGate } from './close-in-doubt-gate';
import { withDeposits } from './deposit-payloads';
import { findStepWithRun } from './find-step-with-run';
import type { Journal } from './journal';
import { JournalProblem, orThrow } from './problem';
import { reopenInTransaction } from './reopen-run';
import { stepFacts } from './step-facts';
import { stepSettled } from './topics';

/**
 * A person settles a step that nobody else can: it happened, it did not, or try again.
 * @throws JournalProblem step_not_resolvable, not_found
 */
export async function resolveStep(
	journal: Journal,
	key: string,
	request: ResolveRequest,
): Promise<StateAnswer> {
	const resolve = async (queries: Queries) => {
		const found = await findStepWithRun(queries, key);
		if (found instanceof JournalProblem) return found;
		const resolved = await resolveInTransaction(queries, found, request);
		if (!(resolved instanceof JournalProblem)) await closeInDoubtGate(queries, found.step);
		return resolved;
	};
	const answer = await withDeposits(
		journal.database,
		[request.result],
		async () => await journal.database.write([{ stepKey: key }], resolve),
	);
	journal.signals.notify(stepSettled(key));
	return orThrow(answer);
}

/** The same inside a transaction of the caller; the caller notifies after the commit. */
export async function resolveInTransaction(
	queries: Queries,
	{ step, run }: { step: StepRow; run: RunRow },
	request: ResolveRequest,
): Promise<StateAnswer | JournalProblem> {
	if (!mayResolve(stepFacts(step), queries.now))
		return new JournalProblem(
			'step_not_resolvable',
			{ key: step.key, attempt: step.attempt },
			`The step is ${step.state}; only one that is in doubt, failed or waiting can be resolved`,
		);
	await settleStep(queries, step, {
		...(await settlementOf(queries, request)),
		by: 'person',
		resolutionJson: JSON.stringify({
			by: request.by,
			reason: request.reason,
			at: instant(queries.now),
		}),
	});
	// Whoever lets a step go on lets its run go on; the claim of a dead run would be refused.
	if (request.as === 'retry' && runMayBecome(run.state, 'active'))
		await reopenInTransaction(queries, run, request);
	await appendAudit(queries, run, 'step.resolved', step.key, { as: request.as });
	return request.as === 'retry'
		? { state: 'waiting_retry', nextAttemptAt: instant(queries.now) }
		: { state: request.as };
}

async function settlementOf(
	queries: Queries,
	request: ResolveRequest,
): Promise<Omit<Settlement, 'by'>> {
	switch (request.as) {
		case 'completed':
			return { state: 'completed', result: await storePayload(queries, request.result) };
		case 'failed': {
			const error = { message: `Resolved as failed: ${request.reason}`, code: 'resolved_failed' };
			return { state: 'failed', errorJson: JSON.stringify(error) };
		}
		case 'retry':
			return { state: 'waiting_retry', nextAttemptAt: queries.now };
	}
}
