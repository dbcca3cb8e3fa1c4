import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import type { Usage } from '../../service/contract/steps';
import type { StepRequest } from '../shared/claim-step';
import { classifyError } from '../shared/classify-error';
import { durableOutput, type Durable } from '../shared/durable-output';
import type { JournalClient } from '../shared/journal-client';
import { readRunOptions } from '../shared/run-options';
import { runStep } from '../shared/run-step';
import { stepIdentity } from '../shared/step-identity';
import { callModel, type TokenUsage } from './call-model';
import { costUsd, readPrices } from './cost';
import { modelIdentity, modelName, type ModelIdentity } from './model-identity';

/** A model's answer can be bought again at any time; nothing has to remember the first call. */
const ANY_TIME_MS = 31_536_000_000;

/** What is journaled and, with `durable` beside it, what goes out. */
interface ModelResult {
	text: string;
	usage: TokenUsage;
	/** USD, by the prices of the panel; null where none are given. */
	cost: number | null;
	model: string | null;
}

interface LlmOptions {
	inputPrice?: unknown;
	outputPrice?: unknown;
	onInDoubt?: 'fail' | 'retry';
	onInputChange?: 'stop' | 'run';
}

/**
 * Asks the connected model for one item, under the journal: an answer that is known costs nothing.
 * @param openJournal gives the client, the same for all items
 */
export async function runModelStep(
	context: IExecuteFunctions,
	itemIndex: number,
	openJournal: (leaseMs: number) => Promise<JournalClient>,
): Promise<ModelResult & { durable: Durable }> {
	const options = context.getNodeParameter('options', itemIndex, {}) as LlmOptions;
	const run = readRunOptions(context, itemIndex);
	const identity = await stepIdentity(context, itemIndex, run.identity);
	const model = connectedModel(context, itemIndex);
	const system = text(context, 'systemPrompt', itemIndex);
	const prompt = text(context, 'prompt', itemIndex);
	if (!prompt.trim()) {
		throw new NodeOperationError(
			context.getNode(),
			'The Prompt is empty for this item: write one, or filter such items out before.',
			{ itemIndex },
		);
	}
	const prices = readPrices(options);
	const client = await openJournal(run.claim.leaseMs);
	const repeatable = (options.onInDoubt ?? 'retry') === 'retry';
	const { slot, ...place } = identity;
	const request: StepRequest = {
		...place,
		...run.claim,
		...doubtPolicy(options, slot),
		input: { model, system, prompt },
	};
	const outcome = await runStep(
		client,
		request,
		async () => {
			const answer = await callModel(context, itemIndex, system, prompt);
			const cost = costUsd(answer.usage, prices);
			const result: ModelResult = {
				text: answer.text,
				usage: answer.usage,
				cost,
				model: answer.model ?? modelName(model) ?? null,
			};
			return { result, usage: journalUsage(result) };
		},
		{
			classify: (error) => classifyError(error, { repeatable, now: Date.now() }),
			waitMs: run.waitMs,
		},
	);
	return { ...outcome.result, durable: durableOutput(identity, outcome) };
}

/**
 * Unlike a tool, a model has no effect that could happen twice: by default a call of unknown outcome
 * is made again, and another prompt is simply another step. Only a slot would let an unsettled call
 * stop the changed one, so it is sent where the person asks for that.
 */
function doubtPolicy(options: LlmOptions, slot: string): Partial<StepRequest> {
	const onInDoubt = options.onInDoubt ?? 'retry';
	const onInputChange = options.onInputChange ?? 'run';
	return {
		onInDoubt,
		onInputChange,
		...(onInDoubt === 'retry' && { receiverWindowMs: ANY_TIME_MS }),
		...((onInDoubt === 'fail' || onInputChange === 'stop') && { slot }),
	};
}

function connectedModel(context: IExecuteFunctions, itemIndex: number): ModelIdentity {
	const node = context
		.getParentNodes(context.getNode().name, {
			connectionType: NodeConnectionTypes.AiLanguageModel,
			depth: 1,
			includeNodeParameters: true,
		})
		.find(({ disabled }) => !disabled);
	if (!node) {
		throw new NodeOperationError(
			context.getNode(),
			'No model is connected: connect a chat model to the input "Model".',
			{ itemIndex },
		);
	}
	return modelIdentity(node, (expression) => context.evaluateExpression(expression, itemIndex));
}

const text = (context: IExecuteFunctions, name: string, itemIndex: number): string => {
	const value = context.getNodeParameter(name, itemIndex, '') as string | IDataObject;
	return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
};

/** As the journal takes it: members that are not known are absent. */
function journalUsage({ usage, model, cost }: ModelResult): Usage {
	return {
		...(model !== null && { model: model.slice(0, 256) }),
		...(usage.inputTokens !== null && { inputTokens: usage.inputTokens }),
		...(usage.outputTokens !== null && { outputTokens: usage.outputTokens }),
		...(cost !== null && { costUsd: cost }),
	};
}
