import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { journalForAllItems, type JournalClient } from '../shared/journal-client';
import { toNodeError } from '../shared/node-error';
import { readRunOptions, type RunOptions } from '../shared/run-options';
import type { StepOutcome } from '../shared/run-step';
import { stepIdentity, type StepIdentity } from '../shared/step-identity';
import type { StoredItem } from '../shared/stored-items';
import { errorItem } from '../shared/error-item';
import { hintOmitted } from './hint-omitted';
import { outputItems, type FirstItems } from './output-items';

export interface ItemStep {
	itemIndex: number;
	client: JournalClient;
	identity: StepIdentity;
	options: RunOptions;
}

/** Runs one step for an input item. */
export type RunItem = (step: ItemStep) => Promise<StepOutcome<StoredItem[]>>;

/** Runs the input items one after the other, each as a step. */
export async function runItems(
	context: IExecuteFunctions,
	runItem: RunItem,
): Promise<INodeExecutionData[][]> {
	const output: INodeExecutionData[] = [];
	const firstItems: FirstItems = {};
	const openJournal = journalForAllItems(context);
	for (let itemIndex = 0; itemIndex < context.getInputData().length; itemIndex++) {
		try {
			const options = readRunOptions(context, itemIndex);
			const identity = await stepIdentity(context, itemIndex, options.identity);
			const client = await openJournal(options.claim.leaseMs);
			const outcome = await runItem({ itemIndex, client, identity, options });
			if (outcome.omitted) hintOmitted(context, itemIndex);
			output.push(...outputItems(identity, outcome, outcome.result, itemIndex, firstItems));
		} catch (error) {
			const nodeError = toNodeError(context.getNode(), error, itemIndex);
			if (!context.continueOnFail()) throw nodeError;
			output.push(errorItem(nodeError, error, itemIndex));
		}
	}
	return [output];
}
