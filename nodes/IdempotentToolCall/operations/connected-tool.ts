import type {
	EngineRequest,
	EngineResponse,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { attempt } from '../../shared/attempt';
import {
	claimEngineStep,
	engineRequest,
	settleEngineStep,
	type EngineOutcome,
	type EngineStep,
	type PendingStep,
} from '../../shared/engine-step';
import { errorItem } from '../../shared/error-item';
import { createJournalClient, type JournalClient } from '../../shared/journal-client';
import { JournalError } from '../../shared/journal-error';
import type { LookUp } from '../../shared/look-up';
import type { ToolAnswer } from '../../shared/judge-tool-answer';
import { toNodeError } from '../../shared/node-error';
import { readRunOptions } from '../../shared/run-options';
import { stepIdentity } from '../../shared/step-identity';
import { hintOmitted } from '../hint-omitted';
import { readJsonObject } from '../json-parameter';
import { readLookUp } from '../look-up';
import { outputItems } from '../output-items';
import { stepInput } from '../step-input';
import { findTool } from './find-tool';
import { dropPass, keepPass, newPass, resumePass, type ToolPass } from './tool-pass';

/** Runs the connected tool for every item; one object for each call of `execute`. */
class ToolRun {
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly client: JournalClient,
		private readonly pass: ToolPass,
	) {}

	/** The step of an item, and what its tool will read as `$json`. */
	private async toStep(itemIndex: number): Promise<EngineStep> {
		const { context } = this;
		const options = readRunOptions(context, itemIndex);
		const identity = await stepIdentity(context, itemIndex, options.identity);
		const args = readJsonObject(context, 'toolArguments', 'Arguments', itemIndex);
		const target = this.pass.tool;
		const { type, toolName } = target;
		return {
			target,
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
			slot: identity.slot,
			giveUpAt: Date.now() + options.waitMs,
			itemIndex,
		};
	}

	/** Takes the result of an item, or returns the request that makes n8n run the tool. */
	private goOn(step: EngineStep, progress: EngineOutcome | PendingStep): EngineRequest | undefined {
		const { pass, context } = this;
		if ('held' in progress) {
			pass.pending = progress;
			keepPass(context, pass);
			return engineRequest(progress);
		}
		pass.pending = undefined;
		const { itemIndex, request } = step;
		if (progress.omitted) hintOmitted(context, itemIndex);
		pass.outputs[itemIndex] = outputItems(
			request,
			progress,
			progress.items,
			itemIndex,
			pass.firstItems,
		);
		return undefined;
	}

	private lookUp({ itemIndex, request }: EngineStep): LookUp | undefined {
		return readLookUp(this.context, itemIndex, { identity: request, input: request.input });
	}

	async begin(itemIndex: number): Promise<EngineRequest | undefined> {
		const step = await this.toStep(itemIndex);
		const { client, context } = this;
		const progress = await claimEngineStep(client, context.helpers, step, this.lookUp(step));
		return this.goOn(step, progress);
	}

	/** Records what the tool did; returns a request where it is to be tried again now. */
	async settle(pending: PendingStep, answer: ToolAnswer): Promise<EngineRequest | undefined> {
		const { client, context } = this;
		const lookUp = this.lookUp(pending);
		const progress = await settleEngineStep(client, context.helpers, pending, answer, lookUp);
		return this.goOn(pending, progress);
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
		const step = await attempt(work ? run.settle(work.pending, work.answer) : run.begin(itemIndex));
		if (!step.ok) stopOrNote(context, pass, itemIndex, step.error);
		else if (step.value) return step.value;
	}
	dropPass(context);
	return [pass.outputs.flat()];
}
