import { StepStopped, type StopFacts } from './step-stopped';
import { remakeFiles } from './stored-binary';
import { toItems, type StoredItem } from './stored-items';

/** What reads and writes n8n's files. */
export type FileHelpers = Parameters<typeof remakeFiles>[0];

/**
 * Reads the result that the journal kept as output items, with their files.
 * @param facts of the step, for the error
 * @throws StepStopped `result_omitted` where a file that was left in n8n is gone
 */
export async function replayedItems(
	helpers: FileHelpers,
	result: unknown,
	{ step, key, attempt, origin }: Omit<StopFacts, 'kind'>,
): Promise<StoredItem[]> {
	const items = await remakeFiles(helpers, toItems(result));
	if (items) return items;
	throw new StepStopped({ step, key, attempt, origin, kind: 'result_omitted' });
}
