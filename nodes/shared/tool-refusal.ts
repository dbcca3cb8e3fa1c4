import type { IExecuteFunctions, INode } from 'n8n-workflow';

export const MCP_CLIENT = '@n8n/n8n-nodes-langchain.mcpClientTool';
const FIRST_MCP_VERSION = 1.3;
const LEGACY_HTTP_TOOL = '@n8n/n8n-nodes-langchain.toolHttpRequest';

/** Why a tool cannot run under a claim, as one sentence; undefined where it can. */
export function toolRefusal(tool: INode): string | undefined {
	const name = `"${tool.name}"`;
	if (tool.onError !== undefined || tool.continueOnFail) {
		return `${name} has On Error set: leave it unset and set it on this node, which knows whether the tool may run again.`;
	}
	if (tool.retryOnFail) {
		return `${name} has Retry On Fail on: turn it off, because it would call several times within one step.`;
	}
	if (tool.type === LEGACY_HTTP_TOOL) {
		return `${name} is the old HTTP Request Tool, which n8n can run for agents only: use the current HTTP Request Tool.`;
	}
	if (tool.type === MCP_CLIENT && tool.typeVersion < FIRST_MCP_VERSION) {
		return `${name} is an MCP Client of version ${tool.typeVersion}: replace it by version ${FIRST_MCP_VERSION} or newer.`;
	}
	return undefined;
}

/** Why no tool can run under a claim in this workflow, as one sentence; undefined where they can. */
export const executionOrderRefusal = (
	context: Pick<IExecuteFunctions, 'getWorkflowSettings'>,
): string | undefined =>
	context.getWorkflowSettings().executionOrder === 'v1'
		? undefined
		: 'Set the workflow setting Execution Order to v1: with v0 n8n answers before the tool ran.';
