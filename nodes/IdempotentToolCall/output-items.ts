import type { INodeExecutionData } from 'n8n-workflow';
import { durableOutput } from '../shared/durable-output';
import type { StepOutcome } from '../shared/run-step';
import type { StoredItem } from '../shared/stored-items';

/** Which input item first got which step, in one call of the node. */
export type FirstItems = Record<string, number>;

/**
 * Builds the output of one input item: the result's items, each with the member `durable`. Where an
 * earlier item of the same call already had this step, `durable.sameAs` names that item.
 */
export function outputItems(
	identity: { runId: string; step: string },
	outcome: Omit<StepOutcome<unknown>, 'result' | 'omitted'>,
	items: StoredItem[],
	itemIndex: number,
	firstItems: FirstItems,
): INodeExecutionData[] {
	const first = (firstItems[outcome.key] ??= itemIndex);
	const durable = durableOutput(identity, outcome, first === itemIndex ? undefined : first);
	return items.map((item) => ({
		...item,
		json: { ...item.json, durable: { ...durable } },
		pairedItem: { item: itemIndex },
	}));
}
