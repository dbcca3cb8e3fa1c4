import type { EngineResponse, INodeExecutionData } from 'n8n-workflow';
import { classifyError, type CallFacts, type Classification } from './classify-error';
import { storedItem, type StoredItem } from './stored-items';
import { HTTP_TOOL } from './tool-refusal';

/** One result of an engine request. */
export type ToolAnswer = EngineResponse['actionResponses'][number];

/** Tools that run several things: one of them may have had its effect before another failed. */
const COMPOSITE = /\.(toolWorkflow|toolCode|codeTool|agentTool|toolThink|toolVectorStore)$/i;

export interface ToolFacts extends CallFacts {
	/** n8n node type of the tool. */
	toolType: string;
	/** True where a tool of a toolkit was asked for by name. */
	named: boolean;
}

export type Judgement = { ok: true; items: StoredItem[] } | { ok: false; failure: Classification };

function classifyFailure(error: unknown, facts: ToolFacts): Classification {
	const found = classifyError(error, facts);
	return !facts.repeatable && COMPOSITE.test(facts.toolType)
		? { ...found, verdict: 'in_doubt' }
		: found;
}

const open = (message: string, facts: ToolFacts): Judgement => ({
	ok: false,
	failure: { verdict: facts.repeatable ? 'retryable' : 'in_doubt', message },
});

/**
 * The refusal in an HTTP Request Tool's answer with status and headers, which with Never Error is no
 * error for n8n: an error as the classification reads it.
 */
function refusalIn({ json }: INodeExecutionData): object | undefined {
	const { statusCode: status, headers, body: data } = json;
	if (typeof status !== 'number' || status < 400) return undefined;
	return { message: `The receiver answered HTTP ${status}`, response: { status, headers, data } };
}

/**
 * Judges what n8n's engine says about the tool's run. Whatever is not plainly a success or a
 * classified error leaves the outcome open: in doubt, not success.
 */
export function judgeToolAnswer({ data }: ToolAnswer, facts: ToolFacts): Judgement {
	if (data.error) return { ok: false, failure: classifyFailure(data.error, facts) };
	if (data.executionStatus !== 'success') {
		return open(`The tool ended as "${data.executionStatus}", without an error`, facts);
	}
	const items = data.data?.ai_tool?.[0] as INodeExecutionData[] | null | undefined;
	if (!Array.isArray(items)) return open('The tool returned no list of items', facts);
	const failed = items.find((item) => item.error ?? item.json?.error);
	if (failed) return open('The tool returned an item with "error"', facts);
	const refusal = facts.toolType === HTTP_TOOL && items.map(refusalIn).find(Boolean);
	if (refusal) return { ok: false, failure: classifyFailure(refusal, facts) };
	// With Always Output Data nothing is an empty item.
	if (facts.named && items.every(({ json }) => Object.keys(json ?? {}).length === 0)) {
		return open('The toolkit gave no answer for the tool that was asked for', facts);
	}
	return { ok: true, items: items.map(storedItem) };
}
