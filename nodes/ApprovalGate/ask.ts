import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError, WAIT_INDEFINITELY } from 'n8n-workflow';
import { createJournalClient } from '../shared/journal-client';
import { toNodeError } from '../shared/node-error';
import { roundOf } from '../shared/round';
import { noteAgentsBegan } from './agent-call';
import { gateRequest } from './gate-request';
import { refuseOldN8n } from './n8n-version';
import { outcomeOf, undecided, withOutcome } from './outcome';
import { MOST_OUTPUTS, route, type FurtherOutputs } from './outputs';
import { answerAgent, answerFailure, isReview, readReview, wordsWhileWaiting } from './tool-review';
import { markAsWaiting, takeBackMark } from './waiting-items';

/**
 * Opens the gate in the journal and puts the execution to wait; a gate that is already decided goes
 * out at once. What goes wrong before is an error, and never an approval.
 */
export async function ask(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	try {
		return await openOrPass(context);
	} catch (error) {
		const failure = asNodeError(context, error);
		// Thrown, n8n would tell the model that a person rejected the call.
		if (isReview(context) && context.getNode().onError !== 'stopWorkflow') {
			return answerFailure(context, error, failure.message);
		}
		if (!context.continueOnFail()) throw failure;
		// Thrown under "continue", n8n would send the items on unmarked.
		const items = withOutcome(context.getInputData(), undecided(null));
		for (const item of items) {
			item.json.error = failure.message;
			// Sends the item to the error output, and drops its data: only where there is one.
			if (context.getNode().onError === 'continueErrorOutput') item.error = failure;
		}
		return [items, []];
	}
}

async function openOrPass(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	refuseOldN8n();
	const round = takeBackMark(context) ?? roundOf(context);
	const items = context.getInputData();
	const journal = await createJournalClient(context);
	const review = isReview(context) ? readReview(context) : undefined;
	const opened = await journal.openGate(await gateRequest(context, round, review));
	if (opened.state !== 'open') {
		const outcome = outcomeOf(await journal.readGate(opened.gateId));
		return review ? answerAgent(context, items, outcome) : route(items, outcome, options(context));
	}
	const waiting = markAsWaiting(context, opened.gateId, round, review && wordsWhileWaiting());
	keepPairing(context);
	keepApart(context);
	noteAgentsBegan(context);
	// The native wait never ends by itself: the deadline is the journal's.
	await context.putExecutionToWait(WAIT_INDEFINITELY);
	return [waiting];
}

/**
 * Lets `$('Earlier').item` work behind the gate. On resume n8n pairs what leaves output 1 with the
 * node's input 1, which does not exist, and so on: so every place names the one origin there is.
 */
function keepPairing(context: IExecuteFunctions): void {
	const data = context.getExecuteData();
	const from = data.source?.main?.[0];
	const main = Array.from({ length: MOST_OUTPUTS }, () => from ?? null);
	if (from) data.source = { ...data.source, main };
}

/**
 * Lets n8n disable this run of the node alone. To resume it, n8n disables the node in the run's entry,
 * and entries of several runs, such as an agent's calls of one turn, share one: the others would be
 * passed through, and nobody asked about them.
 */
function keepApart(context: IExecuteFunctions): void {
	const data = context.getExecuteData();
	data.node = { ...data.node };
}

const options = (context: IExecuteFunctions) =>
	context.getNodeParameter('options', 0, {}) as FurtherOutputs;

function asNodeError(context: IExecuteFunctions, error: unknown): NodeOperationError {
	const known = toNodeError(context.getNode(), error, 0);
	return known instanceof NodeOperationError
		? known
		: new NodeOperationError(context.getNode(), known, { itemIndex: 0 });
}
