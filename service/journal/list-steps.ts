import type { ListedStep } from '../contract/steps';
import type { Queries } from '../store/database';
import { listDeadLetters, listStepsInDoubt, type ListedStepRow } from '../store/step-lists';
import { NAMESPACE, type Journal } from './journal';
import { nextCursor, parsePage } from './page';
import { describeStep } from './read-step';

type Query = { limit?: string; cursor?: string };
type Page = { items: ListedStep[]; nextCursor: string | null };

/**
 * Steps that nobody knows the outcome of, newest first, without payloads.
 * @throws JournalProblem invalid_request for a cursor that is none of ours
 */
export async function listDoubts(journal: Journal, query: Query): Promise<Page> {
	return await page(journal, query, listStepsInDoubt);
}

/**
 * Dead letters: steps that failed because their attempts or their time were used up, newest first,
 * without payloads. One leaves the list when it is resolved, or taken up by another execution.
 * @throws JournalProblem invalid_request for a cursor that is none of ours
 */
export async function listDeadLetterSteps(journal: Journal, query: Query): Promise<Page> {
	return await page(journal, query, listDeadLetters);
}

async function page(
	journal: Journal,
	query: Query,
	list: (
		queries: Queries,
		namespace: string,
		limit: number,
		before: number,
	) => Promise<ListedStepRow[]>,
): Promise<Page> {
	const { limit, before } = parsePage(query);
	return await journal.database.read(async (queries) => {
		const rows = await list(queries, NAMESPACE, limit, before);
		return {
			items: rows.map((row) => describeStep(queries, row, row.run_id)),
			nextCursor: nextCursor(rows, limit),
		};
	});
}
