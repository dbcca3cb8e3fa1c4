import type { CompleteManyItem, CompleteRequest, StateAnswer } from '../contract/steps';
import { canonicalJson } from '../domain/canonical-json';
import { LargeJson, plainValue } from '../domain/large-json';
import { reporter } from '../domain/step';
import type { Queries } from '../store/database';
import { findTextSha256, loadPayload, storePayload } from '../store/payloads';
import { settleStep, type StepRow } from '../store/steps';
import { appendAudit } from './append-audit';
import { closeInDoubtGate } from './close-in-doubt-gate';
import { withDeposits } from './deposit-payloads';
import { findStepWithRun } from './find-step-with-run';
import type { Journal } from './journal';
import { JournalProblem, orThrow } from './problem';
import { stepFacts } from './step-facts';
import { stepSettled } from './topics';

/**
 * Stores the result of the attempt that holds `fencingToken`, or what a look found. The same complete again is harmless.
 * @throws JournalProblem lease_lost, result_conflict, not_found
 */
export async function completeStep(
	journal: Journal,
	key: string,
	request: CompleteRequest,
): Promise<StateAnswer> {
	const answer = await withDeposits(
		journal.database,
		[request.result],
		async () =>
			await journal.database.write(
				[{ stepKey: key }],
				async (queries) => await completeInTransaction(queries, key, request),
			),
	);
	journal.signals.notify(stepSettled(key));
	return orThrow(answer);
}

/** Completes up to 500 steps in one transaction; a refused one leaves the others alone. */
export async function completeManySteps(
	journal: Journal,
	requests: ReadonlyArray<CompleteManyItem | JournalProblem>,
): Promise<Array<StateAnswer | JournalProblem>> {
	const about = requests.flatMap((request) =>
		request instanceof JournalProblem ? [] : [{ stepKey: request.key }],
	);
	const completeAll = async (queries: Queries) => {
		const all: Array<StateAnswer | JournalProblem> = [];
		for (const request of requests)
			all.push(
				request instanceof JournalProblem
					? request
					: await completeInTransaction(queries, request.key, request),
			);
		return all;
	};
	const results = requests.map((request) =>
		request instanceof JournalProblem ? undefined : request.result,
	);
	const answers = await withDeposits(
		journal.database,
		results,
		async () => await journal.database.write(about, completeAll),
	);
	for (const request of requests)
		if (!(request instanceof JournalProblem)) journal.signals.notify(stepSettled(request.key));
	return answers;
}

async function completeInTransaction(
	queries: Queries,
	key: string,
	request: CompleteRequest,
): Promise<StateAnswer | JournalProblem> {
	const found = await findStepWithRun(queries, key);
	if (found instanceof JournalProblem) return found;
	const { step, run } = found;
	if (step.state === 'completed' && hasCompleted(step, request.fencingToken)) {
		return (await isStoredResult(queries, step, request.result))
			? { state: 'completed' }
			: new JournalProblem('result_conflict', { key });
	}
	const by = reporter(stepFacts(step), request.fencingToken);
	if (!by) return new JournalProblem('lease_lost', { key, attempt: step.attempt });
	await settleStep(queries, step, {
		state: 'completed',
		by: by === 'look' ? 'look' : 'holder',
		result: await storePayload(queries, request.result),
		...(request.usage && { usageJson: JSON.stringify(request.usage) }),
	});
	await appendAudit(queries, run, 'step.completed', key, {
		attempt: step.attempt,
		...(by === 'look' && { by }),
	});
	if (step.state === 'in_doubt') await closeInDoubtGate(queries, step);
	return { state: 'completed' };
}

/** The one who reported the result that is stored, or an attempt that is of the same mind. */
function hasCompleted(step: StepRow, token: number): boolean {
	return token === step.fencing_token || (step.settled_by === 'look' && token === step.look_token);
}

/** No result and null are two different results. */
async function isStoredResult(
	queries: Queries,
	step: StepRow,
	reported: unknown,
): Promise<boolean> {
	const columns = { json: step.result_json, ref: step.result_ref };
	if (reported instanceof LargeJson) {
		const textSha256 = await findTextSha256(queries, columns);
		if (textSha256 === reported.facts.textSha256) return true;
	}
	const stored = await loadPayload(queries, columns);
	if ((stored === undefined) !== (reported === undefined)) return false;
	return canonicalJson(stored) === canonicalJson(plainValue(reported));
}
