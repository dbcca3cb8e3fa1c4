import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { agentPlace } from '../shared/agent-place';
import { agentCall, type AgentCall } from './agent-call';
import { undecided, withOutcome, type Outcome } from './outcome';
import { callAgainWith, notAsked, reviewWords } from './review-words';

/** n8n's generated variant of this node that stands between an AI Agent and its tools. */
const REVIEW_VARIANT = 'HitlTool';
/** The text that n8n writes into the field Message of every such variant. */
const MESSAGE_OF_N8N =
	'=The agent wants to run this tool: {{ $tool.name }}\n\nInput:\n{{ $tool.parameters }}';

/** True for the human-review variant: one output, read by the agent. */
export function isReview(context: { getNode(): { type: string } }): boolean {
	return context.getNode().type.endsWith(REVIEW_VARIANT);
}

/** What a gate about an agent's call asks, where an ordinary gate asks about its items. */
export interface Review {
	/** Where the workflow's trigger is looked for; see `readHandedDown`. */
	places: string[];
	input: IDataObject;
	title: string;
	message: string;
	toolCallId: string;
}

/**
 * What people decide about: the tool and its arguments, as n8n will give them to it. Never the model's
 * id of the call or anything else that is another one on the next try.
 * @throws UserError for a call that cannot be reviewed
 */
export function readReview(context: IExecuteFunctions): Review {
	const call = agentCall(context);
	if (!call) {
		throw new UserError(
			'n8n does not tell which call is to be reviewed: use this node between an AI Agent of version 3 or newer and its tools.',
		);
	}
	refuse(call, context.getNode());
	const { tool, args, agent } = call;
	const isObject = typeof args === 'object' && args !== null;
	return {
		places: agentPlace(context).places,
		input: (isObject ? { tool, ...args } : { tool, input: args ?? null }) as IDataObject,
		title: written(context, 'title') || `Run the tool "${tool}"?`,
		message:
			written(context, 'message') ||
			`The agent "${agent.name}" wants to run the tool "${tool}" with these arguments.`,
		toolCallId: call.id,
	};
}

/** What a person wrote into a field; nothing where it is empty or holds n8n's own text. */
function written(context: IExecuteFunctions, field: 'title' | 'message'): string {
	if (context.getNode().parameters[field] === MESSAGE_OF_N8N) return '';
	return String(context.getNodeParameter(field, 0, '') ?? '').trim();
}

function refuse({ tool, args, asides, agent }: AgentCall, node: INode): void {
	if (agent.items > 1) {
		throw new UserError(
			`"${agent.name}" works on ${agent.items} items at once, and n8n would run an approved tool once for each of them: put the agent into a Loop Over Items with batches of one.`,
		);
	}
	// n8n mixes them into the item that expressions read: into a Run ID, a title, the tool's name.
	const wanted = argumentsOfReview(node.parameters);
	const unwanted = Object.keys(asides).find((name) => !wanted.has(name.toLowerCase()));
	if (unwanted !== undefined) {
		throw new UserError(
			`The call carries "${unwanted}" beside the arguments of the tool, and the review takes no such thing: call again without it.`,
		);
	}
	const other = (args as { tool?: unknown } | null | undefined)?.tool;
	if (other !== undefined && other !== tool) {
		throw new UserError(
			'The call has an argument named "tool", with which n8n would run another tool than the one shown: call again without it.',
		);
	}
}

/** Names that the parameters of the review ask the model for. */
function argumentsOfReview(parameters: INode['parameters']): Set<string> {
	const calls = JSON.stringify(parameters).matchAll(/\$fromAI\(\s*(?:\\?["'`])([\w-]+)/gi);
	const names = new Set([...calls].map(([, name]) => name!.toLowerCase()));
	// What n8n itself says there must not come from the model.
	names.delete('tool');
	return names;
}

/**
 * What the agent gets of a decided gate. n8n takes of it `approved`, which must be a boolean, and
 * `chatInput`, the words for the model; the tool's arguments it takes from its own notes.
 */
export function answerAgent(
	context: IExecuteFunctions | IWebhookFunctions,
	items: INodeExecutionData[],
	outcome: Outcome,
): INodeExecutionData[][] {
	const call = agentCall(context);
	if (!outcome.approved) return notApproved(call, items, outcome, reviewWords(outcome));
	if (!call) {
		return notApproved(call, items, outcome, notAsked('n8n does not tell which call it was.'));
	}
	const { edits } = outcome;
	if (!edits || Object.keys(edits).length === 0) return [withOutcome(items, outcome)];
	const args = { ...(call.args as IDataObject), ...edits };
	if (Array.isArray(call.args) || typeof call.args !== 'object' || 'tool' in edits) {
		return notApproved(call, items, outcome, callAgainWith(edits));
	}
	call.giveArgs(args);
	return [withOutcome(items, outcome)];
}

/** What the items of a waiting review say besides, should n8n pass them through by itself. */
export const wordsWhileWaiting = (): IDataObject => ({
	chatInput: reviewWords(undecided(null)),
});

/**
 * What the agent gets where nobody could be asked: n8n would say that a person rejected the call. The
 * model reads what it can do something about; the sentence for people stays in the item.
 */
export function answerFailure(
	context: IExecuteFunctions,
	error: unknown,
	sentence: string,
): INodeExecutionData[][] {
	const words = notAsked(
		error instanceof UserError
			? sentence
			: 'Do not call it again; say that a person has to look at the workflow.',
	);
	const items = notApproved(agentCall(context), context.getInputData(), undecided(null), words);
	for (const { json } of items[0]!) json.error = sentence;
	return items;
}

function notApproved(
	call: AgentCall | undefined,
	items: INodeExecutionData[],
	outcome: Outcome,
	chatInput: string,
): INodeExecutionData[][] {
	call?.tell(chatInput);
	const decided = withOutcome(items, { ...outcome, approved: false });
	return [decided.map((item) => ({ ...item, json: { ...item.json, chatInput } }))];
}
