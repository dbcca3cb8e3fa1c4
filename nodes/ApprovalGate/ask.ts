import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError, WAIT_INDEFINITELY } from 'n8n-workflow';
import { createJournalClient } from '../shared/journal-client';
import { toNodeError } from '../shared/node-error';
import { roundOf } from '../shared/round';
import { gateRequest } from './gate-request';
import { refuseOldN8n } from './n8n-version';
import { outcomeOf, route, undecided, withOutcome } from './outcome';
import { markAsWaiting, takeBackMark } from './waiting-items';

/** n8n's generated variant of this node that stands between an AI Agent and its tools. */
const REVIEW_VARIANT = 'HitlTool';

/** True for the human-review variant: one output, read by the agent. */
export function isReview(context: { getNode(): { type: string } }): boolean {
	return context.getNode().type.endsWith(REVIEW_VARIANT);
}

/**
 * Opens the gate in the journal and puts the execution to wait; a gate that is already decided goes
 * out at once. What goes wrong before is an error, and never an approval.
 */
export async function ask(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	try {
		return await openOrPass(context);
	} catch (error) {
		const failure = asNodeError(context, error);
		if (!context.continueOnFail()) throw failure;
		// Thrown under "continue", n8n would send the items on unmarked.
		const items = withOutcome(context.getInputData(), undecided(null));
		for (const item of items) {
			item.json.error = failure.message;
			// Sends the item to the error output, and drops its data: only where there is one.
			if (context.getNode().onError === 'continueErrorOutput') item.error = failure;
		}
		return isReview(context) ? [items] : [items, []];
	}
}

async function openOrPass(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	refuseOldN8n();
	const round = takeBackMark(context) ?? roundOf(context);
	const items = context.getInputData();
	const journal = await createJournalClient(context);
	const opened = await journal.openGate(await gateRequest(context, round));
	if (opened.state !== 'open') {
		return route(items, outcomeOf(await journal.readGate(opened.gateId)), isReview(context));
	}
	const waiting = markAsWaiting(context, opened.gateId, round);
	keepPairing(context);
	// The native wait never ends by itself: the deadline is the journal's.
	await context.putExecutionToWait(WAIT_INDEFINITELY);
	return [waiting];
}

/**
 * Lets `$('Earlier').item` work behind the gate. On resume n8n pairs what leaves output 1 with the
 * node's input 1, which does not exist: so both places name the one origin there is.
 */
function keepPairing(context: IExecuteFunctions): void {
	const data = context.getExecuteData();
	const from = data.source?.main?.[0];
	if (from) data.source = { ...data.source, main: [from, from] };
}

function asNodeError(context: IExecuteFunctions, error: unknown): NodeOperationError {
	const known = toNodeError(context.getNode(), error, 0);
	return known instanceof NodeOperationError
		? known
		: new NodeOperationError(context.getNode(), known, { itemIndex: 0 });
}
