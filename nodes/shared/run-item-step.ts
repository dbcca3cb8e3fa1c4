import { replayedItems, type FileHelpers } from './replayed-items';
import { runStep, type RunStepOptions, type StepOutcome } from './run-step';
import type { Execute, StepRequest } from './claim-step';
import type { JournalClient } from './journal-client';
import { keepFiles } from './stored-binary';
import { toItems, type StoredItem } from './stored-items';

/**
 * Runs a step whose result is output items, as `runStep`; their files come back in a replay.
 * @throws StepStopped `result_omitted` where a file that was left in n8n is gone
 */
export async function runItemStep(
	client: JournalClient,
	helpers: FileHelpers,
	request: StepRequest,
	act: (claim: Execute) => Promise<StoredItem[]>,
	options: RunStepOptions,
): Promise<StepOutcome<StoredItem[]>> {
	let fresh: StoredItem[] = [];
	const outcome = await runStep<unknown>(
		client,
		request,
		async (claim) => {
			fresh = await act(claim);
			return { result: await keepFiles(helpers, fresh) };
		},
		options,
	);
	if (!outcome.replayed) return { ...outcome, result: toItems(fresh) };
	const { key, attempt, result } = outcome;
	const facts = { step: request.step, key, attempt, origin: client.origin };
	return { ...outcome, result: await replayedItems(helpers, result, facts) };
}
