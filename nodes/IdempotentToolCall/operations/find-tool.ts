import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import type { ConnectedNodes } from '../../shared/connected-nodes';
import type { EngineTarget } from '../../shared/engine-step';
import { executionOrderRefusal, MCP_CLIENT, toolRefusal } from '../../shared/tool-refusal';
import { isNamed, toolsOf } from '../../shared/toolkit';
import { itemReferenceRefusal } from '../../shared/item-reference';

/** A loop is a way from this node back to itself. */
function isInLoop(context: IExecuteFunctions): boolean {
	const { name } = context.getNode();
	const before = new Set(context.getParentNodes(name).map((node) => node.name));
	return context.getChildNodes(name).some((node) => node.name === name || before.has(node.name));
}

function whyNot(context: IExecuteFunctions, tools: INode[]): string | undefined {
	const [tool] = tools;
	if (!tool || tools.length > 1) {
		return `Connect exactly one enabled tool to this node; it has ${tools.length}.`;
	}
	const order = executionOrderRefusal(context);
	if (order) return order;
	if (!context.getExecuteData().source?.main?.[0]?.previousNode) {
		return 'Put a node before this one, such as a trigger: n8n cannot run a tool for the first node of a workflow.';
	}
	const refusal = toolRefusal(tool);
	if (refusal) return refusal;
	const several = context.getInputData().length > 1 || isInLoop(context);
	return several ? itemReferenceRefusal(tool) : undefined;
}

/**
 * The full name of the chosen tool of a toolkit (n8n puts the node's name before it); undefined where
 * the connected tool is no toolkit.
 */
async function findToolName(context: IExecuteFunctions, tool: INode): Promise<string | undefined> {
	const asked = String(context.getNodeParameter('toolName', 0, '') ?? '').trim();
	if (tool.type !== MCP_CLIENT) return asked || undefined;
	const connected = await context.getInputConnectionData(NodeConnectionTypes.AiTool, 0);
	const names = [connected]
		.flat()
		.flatMap(toolsOf<{ name?: unknown } | undefined>)
		.map((each) => String(each.tool?.name ?? ''));
	const found = names.find((name) => isNamed(asked, tool.name, name));
	if (found) return found;
	const choice = names.join(', ') || 'none';
	throw new NodeOperationError(
		context.getNode(),
		asked
			? `"${tool.name}" has no tool "${asked}": choose one of ${choice}.`
			: `"${tool.name}" is a toolkit: enter a Tool Name, one of ${choice}.`,
	);
}

/** Finds the connected tool, or refuses in one sentence what cannot work under a claim. */
export async function findTool(context: IExecuteFunctions): Promise<EngineTarget> {
	const tools = (context as unknown as ConnectedNodes).getConnectedNodes(
		NodeConnectionTypes.AiTool,
	);
	const refusal = whyNot(context, tools);
	if (refusal) throw new NodeOperationError(context.getNode(), refusal);
	const tool = tools[0] as INode;
	const toolName = await findToolName(context, tool);
	return { node: tool.name, type: tool.type, ...(toolName && { toolName }) };
}
