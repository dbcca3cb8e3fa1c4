import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';

/** The part of a chat model, or of a plain completion model, that is used here. */
interface ConnectedModel {
	invoke(messages: Array<['system' | 'human', string]>): Promise<unknown>;
}

export interface TokenUsage extends IDataObject {
	inputTokens: number | null;
	outputTokens: number | null;
	totalTokens: number | null;
}

export interface ModelAnswer {
	text: string;
	usage: TokenUsage;
	/** As the provider names it; undefined where the answer does not say. */
	model?: string;
}

interface Message {
	content?: unknown;
	usage_metadata?: { input_tokens?: unknown; output_tokens?: unknown; total_tokens?: unknown };
	response_metadata?: {
		model_name?: unknown;
		model?: unknown;
		tokenUsage?: { promptTokens?: unknown; completionTokens?: unknown; totalTokens?: unknown };
	};
}

const count = (...values: unknown[]): number | null =>
	values.find((value): value is number => Number.isSafeInteger(value) && Number(value) >= 0) ??
	null;

/**
 * Calls the connected model once.
 * @param system left out of the request where it is empty
 */
export async function callModel(
	context: IExecuteFunctions,
	itemIndex: number,
	system: string,
	prompt: string,
): Promise<ModelAnswer> {
	const connected = (await context.getInputConnectionData(
		NodeConnectionTypes.AiLanguageModel,
		itemIndex,
	)) as ConnectedModel | ConnectedModel[];
	const model = Array.isArray(connected) ? connected[0] : connected;
	if (!model) {
		throw new NodeOperationError(context.getNode(), 'The connected model cannot be used.', {
			itemIndex,
		});
	}
	const answer = await model.invoke(
		system
			? [
					['system', system],
					['human', prompt],
				]
			: [['human', prompt]],
	);
	return readAnswer(answer);
}

/** Reads a LangChain message, or the text of a plain completion model. */
export function readAnswer(answer: unknown): ModelAnswer {
	if (typeof answer === 'string') return { text: answer, usage: usageOf({}) };
	const message = (answer ?? {}) as Message;
	const { model_name: name, model } = message.response_metadata ?? {};
	const named = [name, model].find((value) => typeof value === 'string') as string | undefined;
	return { text: textOf(message.content), usage: usageOf(message), ...(named && { model: named }) };
}

function usageOf(message: Message): TokenUsage {
	const metadata = message.usage_metadata ?? {};
	const older = message.response_metadata?.tokenUsage ?? {};
	const inputTokens = count(metadata.input_tokens, older.promptTokens);
	const outputTokens = count(metadata.output_tokens, older.completionTokens);
	const sum = inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens;
	return {
		inputTokens,
		outputTokens,
		totalTokens: count(metadata.total_tokens, older.totalTokens) ?? sum,
	};
}

/** Content is a text, or a list of parts of which some (reasoning, images) are no text. */
function textOf(content: unknown): string {
	if (typeof content === 'string') return content;
	if (!Array.isArray(content)) return '';
	return content
		.map((part: unknown) => (typeof part === 'string' ? part : (part as { text?: unknown })?.text))
		.filter((text) => typeof text === 'string')
		.join('');
}
