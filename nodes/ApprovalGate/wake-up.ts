import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { createJournalClient } from '../shared/journal-client';
import { JournalError } from '../shared/journal-error';
import { outcomeOf, undecided, type Outcome } from './outcome';
import { route, type FurtherOutputs } from './outputs';
import { answerAgent, isReview } from './tool-review';

/** The waking side tries again; holding its call open for longer would gain nothing. */
const PATIENCE_MS = 5_000;

/**
 * Answers a wake-up. It carries no authority: which gate this node waits for is in its own items, and
 * what was decided comes from the journal.
 *
 * 200 `{ resumed }`; 200 `{ stale: true }` when meant for another gate; 409 `{ open: true }` while
 * undecided; 503 while the journal cannot be asked. Nothing may be thrown from here: n8n would go on
 * with the workflow.
 */
export async function wakeUp(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const items = context.evaluateExpression('{{ $input.all() }}', 0) as INodeExecutionData[];
		const waitsFor = items[0]?.json.gateId;
		if (typeof waitsFor !== 'string') return answer(context, 503, { gateId: null });
		const meant: unknown = context.getBodyData()?.gateId;
		if (meant !== undefined && meant !== waitsFor) return answer(context, 200, { stale: true });
		const outcome = await readOutcome(context, waitsFor);
		if (!outcome) return answer(context, 409, { open: true });
		return {
			webhookResponse: { resumed: true },
			workflowData: isReview(context)
				? answerAgent(context, items, outcome)
				: route(items, outcome, context.getNodeParameter('options', {}) as FurtherOutputs),
		};
	} catch {
		return answer(context, 503, { unreachable: true });
	}
}

/** Undefined while the gate is open. A gate whose run was erased can no longer be approved. */
async function readOutcome(
	context: IWebhookFunctions,
	gateId: string,
): Promise<Outcome | undefined> {
	const journal = await createJournalClient(context, { patienceMs: PATIENCE_MS });
	const gate = await journal.readGate(gateId).catch((error: unknown) => {
		if (error instanceof JournalError && error.status === 410) return null;
		throw error;
	});
	if (gate === null) return undecided(gateId);
	return gate.state === 'open' ? undefined : outcomeOf(gate);
}

/** Answers without resuming: n8n keeps waiting when no workflow data is returned. */
function answer(context: IWebhookFunctions, status: number, body: object): IWebhookResponseData {
	try {
		context.getResponseObject().status(status).json(body);
	} catch {
		// The caller hung up. It will try again.
	}
	return { noWebhookResponse: true };
}
