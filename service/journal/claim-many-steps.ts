import { PROBLEMS } from '../contract/problem';
import type { ClaimAnswer, ClaimManyItem } from '../contract/steps';
import type { Queries } from '../store/database';
import { claimInTransaction } from './claim-in-transaction';
import { withNewInputs } from './deposit-payloads';
import { aboutClaim } from './heed-guard';
import { identifyStep } from './identify-step';
import type { Journal } from './journal';
import { rememberRepeat } from './last-step-of-slot';
import { JournalProblem } from './problem';
import { signalPassedDeadlines } from './topics';

/**
 * Claims up to 500 steps in one transaction. Answers stand in the order of the requests; a refused
 * one leaves the others alone. The same step twice in one call is claimed once: the second is
 * `step_in_progress` with `sameAs`, the index of the first.
 */
export async function claimManySteps(
	journal: Journal,
	requests: ReadonlyArray<ClaimManyItem | JournalProblem>,
): Promise<Array<ClaimAnswer | JournalProblem>> {
	const identities = requests.map((request) =>
		request instanceof JournalProblem ? request : identifyStep(request),
	);
	const about = requests.flatMap((request) =>
		request instanceof JournalProblem ? [] : aboutClaim(request),
	);
	const inputs = requests.flatMap((request, index) => {
		const identity = identities[index]!;
		return request instanceof JournalProblem || identity instanceof JournalProblem
			? []
			: [{ key: identity.key, input: request.input }];
	});
	const claimAll = async (queries: Queries) => {
		const answers: Array<ClaimAnswer | JournalProblem> = [];
		const executing = new Map<string, { index: number; fingerprint: string }>();
		for (const [index, request] of requests.entries()) {
			const identity = identities[index]!;
			if (request instanceof JournalProblem || identity instanceof JournalProblem) {
				answers.push(identity as JournalProblem);
				continue;
			}
			const first = executing.get(identity.key);
			// Another input under the same key of the caller's own is no repeat: it is refused below.
			if (first?.fingerprint === identity.fingerprint) {
				await rememberRepeat(queries, request, identity.key);
				answers.push(repeatedInCall(identity.key, first.index));
				continue;
			}
			const answer = await claimInTransaction(queries, request, identity);
			if (holdsStep(answer))
				executing.set(identity.key, { index, fingerprint: identity.fingerprint });
			answers.push(answer);
		}
		return answers;
	};
	const answers = await withNewInputs(
		journal.database,
		inputs,
		async () => await journal.database.write(about, claimAll),
	);
	for (const [index, request] of requests.entries())
		if (!(request instanceof JournalProblem) && request.gateId !== undefined)
			signalPassedDeadlines(journal.signals, request.runId, answers[index]);
	return answers;
}

function holdsStep(answer: ClaimAnswer | JournalProblem): boolean {
	if (answer instanceof JournalProblem) return false;
	return answer.outcome === 'execute' || answer.outcome === 'verify';
}

function repeatedInCall(key: string, sameAs: number): JournalProblem {
	return new JournalProblem(
		'step_in_progress',
		{ key, sameAs },
		`${PROBLEMS.step_in_progress.title}: item ${sameAs} of this call is the same step`,
	);
}
