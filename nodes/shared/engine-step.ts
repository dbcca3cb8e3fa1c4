import type { EngineRequest, IDataObject } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { claimStep, type StepRequest } from './claim-step';
import type { JournalClient } from './journal-client';
import { judgeToolAnswer, type ToolAnswer } from './judge-tool-answer';
import type { LookUp } from './look-up';
import { replayedItems, type FileHelpers } from './replayed-items';
import { executedFacts, replayFacts, type StepOutcome } from './run-step';
import { completeStep, failForNow, type Held } from './settle-step';
import { keepFiles } from './stored-binary';
import { toItems, type StoredItem } from './stored-items';

/** A tool node under ours. */
export interface EngineTarget {
	/** Name of the node. */
	node: string;
	/** n8n node type. */
	type: string;
	/** Full name of the chosen tool of a toolkit. */
	toolName?: string;
}

/** A step whose action n8n's engine runs: a tool node, with its own credentials. JSON only. */
export interface EngineStep {
	target: EngineTarget;
	/** Frozen when claimed, so that the next attempt asks for the same step. */
	request: StepRequest;
	/** What the tool reads as its item, beside what n8n and `toolInput` add. */
	input: Record<string, unknown>;
	/** Place of this call, handed down to a workflow that the tool calls. */
	slot: string;
	/** True where `input` holds nothing but what the tool declares: then its members win over ours. */
	declaredOnly?: boolean;
	/** Unix epoch ms: when to stop waiting for another holder or for the next attempt. */
	giveUpAt: number;
	itemIndex: number;
}

/** A claimed step that the engine is running. */
export interface PendingStep extends EngineStep {
	/** Id of the engine request; another one for every attempt. */
	actionId: string;
	held: Held;
}

export interface EngineOutcome extends Omit<StepOutcome<unknown>, 'result'> {
	items: StoredItem[];
}

type Progress = EngineOutcome | PendingStep;

/**
 * Claims the step: gives the stored result, or what n8n's engine is to run now (see `engineRequest`).
 * @param lookUp see `claimStep`
 * @throws StepStopped, JournalError as `claimStep`
 */
export async function claimEngineStep(
	client: JournalClient,
	helpers: FileHelpers,
	step: EngineStep,
	lookUp?: LookUp,
): Promise<Progress> {
	const left = Math.max(0, step.giveUpAt - Date.now());
	const claim = await claimStep(client, step.request, left, lookUp);
	const { key, attempt } = claim;
	if (claim.outcome === 'replay') {
		const facts = { step: step.request.step, key, attempt, origin: client.origin };
		return { ...replayFacts(claim), items: await replayedItems(helpers, claim.result, facts) };
	}
	const { fencingToken } = claim;
	return {
		...step,
		actionId: `${key}.${fencingToken}`,
		held: { key, attempt, fencingToken, step: step.request.step },
	};
}

/**
 * The tool's input: its arguments, and beside them the idempotency key and run for its expressions,
 * and what a called workflow needs to belong to this run. A toolkit may hand all that it gets to
 * somebody else's server, so it gets none of it.
 */
function toolInput({ input, target, held, request, slot, declaredOnly }: PendingStep): IDataObject {
	if (target.toolName !== undefined) return { ...input, tool: target.toolName } as IDataObject;
	const ours = { idempotencyKey: held.key, runId: request.runId };
	return {
		...(declaredOnly ? { ...ours, ...input } : { ...input, ...ours }),
		durable: { run: request.runId, slot },
	} as IDataObject;
}

/**
 * The request that makes n8n run one tool node. One action a request, always: with several, a kill
 * could let n8n run a queued tool again, past the claim.
 */
export const oneAction = (
	id: string,
	nodeName: string,
	input: IDataObject,
	itemIndex: number,
): EngineRequest => ({
	actions: [
		{
			actionType: 'ExecutionNodeAction',
			nodeName,
			input,
			type: NodeConnectionTypes.AiTool,
			id,
			metadata: { itemIndex },
		},
	],
	metadata: {},
});

/** The request that makes n8n run the tool of a claimed step. */
export const engineRequest = (pending: PendingStep): EngineRequest =>
	oneAction(pending.actionId, pending.target.node, toolInput(pending), pending.itemIndex);

/**
 * Records what the tool did. Where it is to be tried again now, claims the next attempt.
 * @throws StepStopped, JournalError where the step cannot go on here
 */
export async function settleEngineStep(
	client: JournalClient,
	helpers: FileHelpers,
	pending: PendingStep,
	answer: ToolAnswer,
	lookUp?: LookUp,
): Promise<Progress> {
	const { held, request, target, giveUpAt } = pending;
	const judged = judgeToolAnswer(answer, {
		toolType: target.type,
		named: target.toolName !== undefined,
		repeatable: request.onInDoubt === 'retry',
		now: Date.now(),
	});
	if (judged.ok) {
		const kept = await completeStep(client, held, await keepFiles(helpers, judged.items));
		return { ...executedFacts(held, kept), items: toItems(judged.items) };
	}
	await failForNow(client, held, judged.failure, request.onInDoubt, giveUpAt);
	return await claimEngineStep(client, helpers, pending, lookUp);
}
