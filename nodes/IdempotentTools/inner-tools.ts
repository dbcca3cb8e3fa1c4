import type { IExecuteFunctions, INode, ISupplyDataFunctions } from 'n8n-workflow';
import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import type { ConnectedNodes } from '../shared/connected-nodes';
import { toolsOf } from '../shared/toolkit';

/** What of a tool object of n8n is needed here; n8n makes them with a library of its own. */
export interface ToolObject {
	name: string;
	description?: string;
	/** A Zod schema, or a JSON Schema. */
	schema?: unknown;
	metadata?: Record<string, unknown>;
}

/** A tool under this node, as the model knows it. */
export interface InnerTool {
	/** The name that the model uses. */
	name: string;
	/** The node that runs it. */
	node: INode;
	/** True where that node has several tools, such as an MCP Client. */
	ofToolkit: boolean;
	tool: ToolObject;
}

type SubNodeContext = IExecuteFunctions | ISupplyDataFunctions;

export const toolNodes = (context: SubNodeContext): INode[] =>
	(context as unknown as ConnectedNodes).getConnectedNodes(NodeConnectionTypes.AiTool);

/** Lists the tools under this node, those of toolkits one by one. Connects to MCP servers. */
export async function innerTools(context: SubNodeContext): Promise<InnerTool[]> {
	const nodes = new Map(toolNodes(context).map((node) => [node.name, node]));
	const connected = await context.getInputConnectionData(NodeConnectionTypes.AiTool, 0);
	return [connected].flat().flatMap((each) =>
		toolsOf<ToolObject>(each).map(({ tool, ofToolkit }) => {
			const node = nodes.get(String(tool.metadata?.sourceNodeName));
			if (node) return { name: tool.name, node, ofToolkit, tool };
			throw new NodeOperationError(
				context.getNode(),
				`n8n does not say which node the tool "${tool.name}" belongs to: connect the tool itself, without another node between it and this one.`,
			);
		}),
	);
}
