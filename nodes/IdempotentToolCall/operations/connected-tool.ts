import type {
	EngineRequest,
	EngineResponse,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { attempt } from '../../shared/attempt';
import { claimStep, type Execute, type Replay } from '../../shared/claim-step';
import { judgeToolAnswer, type ToolAnswer } from '../../shared/judge-tool-answer';
import { createJournalClient, type JournalClient } from '../../shared/journal-client';
import { JournalError } from '../../shared/journal-error';
import { toNodeError } from '../../shared/node-error';
import { readRunOptions } from '../../shared/run-options';
import { completeStep, failStep } from '../../shared/settle-step';
import { stepIdentity } from '../../shared/step-identity';
import { StepStopped } from '../../shared/step-stopped';
import { toItems, type StoredItem } from '../../shared/stored-items';
import { errorItem } from '../../shared/error-item';
import { hintOmitted } from '../hint-omitted';
import { readJsonObject } from '../json-parameter';
import { outputItems } from '../output-items';
import { stepInput } from '../step-input';
import { findTool } from './find-tool';
import {
	dropPass,
	keepPass,
	newPass,
	resumePass,
	type PendingCall,
	type ToolPass,
} from './tool-pass';

type Asked = Pick<PendingCall, 'itemIndex' | 'request' | 'input' | 'giveUpAt'>;

/** Runs the connected tool for every item; one object for each call of `execute`. */
class ToolRun {
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly client: JournalClient,
		private readonly pass: ToolPass,
	) {}

	/** Prepares the step of an item, and what its tool will read as `$json`. */
	private async ask(itemIndex: number): Promise<Asked> {
		const { context } = this;
		const options = readRunOptions(context, itemIndex);
		const identity = await stepIdentity(context, itemIndex, options.identity);
		const args = readJsonObject(context, 'toolArguments', 'Arguments', itemIndex);
		const { type, toolName } = this.pass.tool;
		return {
			itemIndex,
			request: {
				...identity,
				// The tool's type, not its name or its own parameters: renaming it or correcting them
				// between two tries is no other step.
				...stepInput(
					context,
					itemIndex,
					{ tool: type, ...(toolName && { toolName }) },
					{ arguments: args },
				),
				...options.claim,
			},
			input: args,
			giveUpAt: Date.now() + options.waitMs,
		};
	}

	private take(asked: Asked, claim: Replay, replayed: boolean, items: StoredItem[]): void {
		const { itemIndex, request } = asked;
		const { key, attempt, completedAt } = claim;
		const outcome = { key, attempt, completedAt, replayed };
		this.pass.outputs[itemIndex] = outputItems(
			request,
			outcome,
			items,
			itemIndex,
			this.pass.firstItems,
		);
	}

	/** Claims the step: takes the stored result, or returns the request that makes n8n run the tool. */
	private async claim(asked: Asked): Promise<EngineRequest | undefined> {
		const waitMs = Math.max(0, asked.giveUpAt - Date.now());
		const claim = await claimStep(this.client, asked.request, waitMs);
		if (claim.outcome === 'replay') {
			this.take(asked, claim, true, toItems(claim.result));
			return undefined;
		}
		return this.request(asked, claim);
	}

	/**
	 * One action a request, always: with several, a kill could let n8n run a queued tool again, past
	 * the claim.
	 */
	private request(asked: Asked, claim: Execute): EngineRequest {
		const { key, attempt, fencingToken } = claim;
		const { runId, step, slot } = asked.request;
		const actionId = `${key}.${fencingToken}`;
		this.pass.pending = { ...asked, actionId, held: { key, attempt, fencingToken, step } };
		keepPass(this.context, this.pass);
		const { node, toolName } = this.pass.tool;
		const input = {
			...asked.input,
			idempotencyKey: key,
			runId,
			durable: { run: runId, slot },
			...(toolName && { tool: toolName }),
		} as IDataObject;
		return {
			actions: [
				{
					actionType: 'ExecutionNodeAction',
					nodeName: node,
					input,
					type: NodeConnectionTypes.AiTool,
					id: actionId,
					metadata: { itemIndex: asked.itemIndex },
				},
			],
			metadata: {},
		};
	}

	/** Records what the tool did; returns a request where it is to be tried again now. */
	async settle(pending: PendingCall, answer: ToolAnswer): Promise<EngineRequest | undefined> {
		const { held, request, itemIndex } = pending;
		const judged = judgeToolAnswer(answer, {
			toolType: this.pass.tool.type,
			named: this.pass.tool.toolName !== undefined,
			repeatable: request.onInDoubt === 'retry',
			now: Date.now(),
		});
		if (judged.ok) {
			const kept = await completeStep(this.client, held, judged.items);
			if (!kept) hintOmitted(this.context, itemIndex);
			const claim = { ...held, outcome: 'replay' as const, completedAt: new Date().toISOString() };
			this.take(pending, claim, false, toItems(judged.items));
			this.pass.pending = undefined;
			return undefined;
		}
		const nextAttemptAt = await failStep(this.client, held, judged.failure, request.onInDoubt);
		this.pass.pending = undefined;
		if (!nextAttemptAt || Date.parse(nextAttemptAt) <= pending.giveUpAt)
			return await this.claim(pending);
		throw new StepStopped({
			kind: 'waiting_retry',
			...held,
			origin: this.client.origin,
			error: judged.failure,
			nextAttemptAt,
		});
	}

	async next(itemIndex: number): Promise<EngineRequest | undefined> {
		return await this.claim(await this.ask(itemIndex));
	}
}

/** Notes a failed item, or throws it when the node stops on errors. */
function stopOrNote(
	context: IExecuteFunctions,
	pass: ToolPass,
	itemIndex: number,
	error: unknown,
): void {
	const nodeError = toNodeError(context.getNode(), error, itemIndex);
	if (context.continueOnFail()) {
		pass.pending = undefined;
		pass.outputs[itemIndex] = [errorItem(nodeError, error, itemIndex)];
		return;
	}
	// What could not be recorded stays pending: n8n's Retry On Fail brings the same answer again.
	if (!(pass.pending && error instanceof JournalError && error.acted)) dropPass(context);
	throw nodeError;
}

type Resumed = ReturnType<typeof resumePass>;

/** Makes sure of the tool and of the journal, before the first claim. */
async function openRun(
	context: IExecuteFunctions,
	resumed: Resumed,
): Promise<{ pass: ToolPass; run: ToolRun }> {
	const pass = resumed?.pass ?? newPass(context, await findTool(context));
	const { leaseMs } = readRunOptions(context, 0).claim;
	const client = await createJournalClient(context, { leaseMs });
	return { pass, run: new ToolRun(context, client, pass) };
}

/**
 * What concerns the node as a whole fails every item. Thrown under On Error "continue", n8n would send
 * the input on as if the tool had run.
 */
function failAll(context: IExecuteFunctions, error: unknown): INodeExecutionData[][] {
	const nodeError = toNodeError(context.getNode(), error, 0);
	if (!context.continueOnFail()) throw nodeError;
	return [context.getInputData().map((_, itemIndex) => errorItem(nodeError, error, itemIndex))];
}

/**
 * Operation Connected Tool: for each item claims a step, lets n8n's engine run the tool that hangs
 * under this node with its own credentials, and records the outcome. n8n calls again with the answer.
 */
export async function connectedTool(
	context: IExecuteFunctions,
	response?: EngineResponse,
): Promise<INodeExecutionData[][] | EngineRequest> {
	const resumed = resumePass(context, response);
	const opened = await attempt(openRun(context, resumed));
	if (!opened.ok) return failAll(context, opened.error);
	const { pass, run } = opened.value;
	const itemCount = context.getInputData().length;
	for (let work = resumed; work || pass.nextItem < itemCount; work = undefined) {
		const itemIndex = work?.pending.itemIndex ?? pass.nextItem++;
		const step = await attempt(work ? run.settle(work.pending, work.answer) : run.next(itemIndex));
		if (!step.ok) stopOrNote(context, pass, itemIndex, step.error);
		else if (step.value) return step.value;
	}
	dropPass(context);
	return [pass.outputs.flat()];
}
