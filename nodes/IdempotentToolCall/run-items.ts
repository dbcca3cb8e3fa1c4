import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { attempt } from '../shared/attempt';
import { ClaimWindow } from '../shared/claim-window';
import type { JournalClient } from '../shared/journal-client';
import { journalForAllItems } from '../shared/journal-for-all-items';
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

interface Done {
	identity: StepIdentity;
	outcome: StepOutcome<StoredItem[]>;
}

/**
 * Runs the input items, each as a step, some at once; the output keeps their order. Where one fails
 * and the node stops on errors, those that have begun are brought to their end first.
 * @param atOnce how many
 */
export async function runItems(
	context: IExecuteFunctions,
	atOnce: number,
	runItem: RunItem,
): Promise<INodeExecutionData[][]> {
	const output: INodeExecutionData[] = [];
	const firstItems: FirstItems = {};
	const openJournal = journalForAllItems(context);
	const count = context.getInputData().length;

	async function run(itemIndex: number, window: ClaimWindow): Promise<Done> {
		const place = window.enter();
		try {
			const options = readRunOptions(context, itemIndex);
			const identity = await stepIdentity(context, itemIndex, options.identity);
			const client = place.client(await openJournal(options.claim.leaseMs));
			return { identity, outcome: await runItem({ itemIndex, client, identity, options }) };
		} finally {
			place.leave();
		}
	}

	for (let first = 0; first < count; first += atOnce) {
		const window = Array.from({ length: Math.min(atOnce, count - first) }, (_, at) => first + at);
		const claims = new ClaimWindow(window.length);
		const results = await Promise.all(window.map((itemIndex) => attempt(run(itemIndex, claims))));
		for (const [at, result] of results.entries()) {
			const itemIndex = first + at;
			if (result.ok) {
				const { identity, outcome } = result.value;
				if (outcome.omitted) hintOmitted(context, itemIndex);
				output.push(...outputItems(identity, outcome, outcome.result, itemIndex, firstItems));
				continue;
			}
			const nodeError = toNodeError(context.getNode(), result.error, itemIndex);
			if (!context.continueOnFail()) throw nodeError;
			output.push(errorItem(nodeError, result.error, itemIndex));
		}
	}
	return [output];
}
