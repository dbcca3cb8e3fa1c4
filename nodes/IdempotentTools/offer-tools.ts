import type { IExecuteFunctions, INode, ISupplyDataFunctions, SupplyData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { itemReferenceRefusal } from '../shared/item-reference';
import { executionOrderRefusal, toolRefusal } from '../shared/tool-refusal';
import { refuseMissingAnswer } from './answered-calls';
import { declaredArguments, RESERVED } from './call-arguments';
import { innerTools, toolNodes, type InnerTool, type ToolObject } from './inner-tools';
import { refuseIdleRules, ruleFor } from './tool-rules';

const AGENT = '@n8n/n8n-nodes-langchain.agent';
const FIRST_AGENT_VERSION = 3;
const INSTEAD_OF_ITEM =
	"let the agent's item bring the value and read it as {{ $json.name }}, or let the model give it";

function whyNot(context: ISupplyDataFunctions): string | undefined {
	// Not in n8n's published types: the node that takes the tools.
	const { parentNode } = context as { parentNode?: INode };
	if (parentNode?.type.startsWith(AGENT) && parentNode.typeVersion < FIRST_AGENT_VERSION) {
		return `"${parentNode.name}" is an agent of version ${parentNode.typeVersion}, which calls tools by itself and past the journal: replace it by version ${FIRST_AGENT_VERSION} or newer.`;
	}
	return (
		executionOrderRefusal(context) ??
		toolNodes(context)
			.map((tool) => toolRefusal(tool) ?? itemReferenceRefusal(tool, INSTEAD_OF_ITEM))
			.find((refusal) => refusal !== undefined)
	);
}

function refuseTool(context: ISupplyDataFunctions, tool: InnerTool): void {
	const rule = ruleFor(context, tool);
	if (tool.tool.metadata?.gatedToolNodeName !== undefined) {
		throw new NodeOperationError(
			context.getNode(),
			`"${tool.name}" has a human review between it and this node: put the review between this node and the agent.`,
		);
	}
	const declared = declaredArguments(tool.tool);
	const reserved = RESERVED.find((name) => declared?.includes(name));
	if (reserved !== undefined) {
		throw new NodeOperationError(
			context.getNode(),
			`"${tool.name}" has an argument named "${reserved}", which n8n uses for itself: rename it.`,
		);
	}
	const unknown = rule.keyArguments.find(([first]) => declared?.includes(String(first)) === false);
	if (unknown) {
		throw new NodeOperationError(
			context.getNode(),
			`The rule for "${tool.name}" names the key argument "${unknown.join('.')}", which the tool does not have: use ${declared?.join(', ')}, or calls that differ would count as one.`,
		);
	}
}

/**
 * The tool as the model sees it, with this node as the one that n8n runs for it. Whoever calls it
 * directly is stopped: that would go past the journal.
 */
function offered(context: ISupplyDataFunctions, { tool, name }: InnerTool): ToolObject {
	const refuse = async (): Promise<never> => {
		throw new NodeOperationError(
			context.getNode(),
			`"${name}" was called past the journal, and nothing was done: use these tools in an AI Agent of version ${FIRST_AGENT_VERSION} or newer, at most as a tool of another such agent.`,
		);
	};
	return Object.create(tool, {
		metadata: { value: { ...tool.metadata }, writable: true, enumerable: true, configurable: true },
		...Object.fromEntries(
			['invoke', 'call', '_call', 'func'].map((method) => [
				method,
				{ value: refuse, writable: true, configurable: true },
			]),
		),
	}) as ToolObject;
}

/** Offers the tools under this node to an agent, under their own names and with their own schemas. */
export async function offerTools(context: ISupplyDataFunctions): Promise<SupplyData> {
	const refusal = whyNot(context);
	if (refusal) throw new NodeOperationError(context.getNode(), refusal);
	// All contexts of n8n that run a workflow have these, whatever its types say.
	refuseMissingAnswer(context as unknown as IExecuteFunctions);
	const tools = await innerTools(context);
	for (const tool of tools) refuseTool(context, tool);
	refuseIdleRules(context, tools);
	const wrapped = tools.map((tool) => offered(context, tool));
	// n8n takes what has these two members for a toolkit, and hands over which tool was called.
	return { response: { tools: wrapped, getTools: () => wrapped } };
}
