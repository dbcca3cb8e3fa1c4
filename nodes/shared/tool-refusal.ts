import type { IExecuteFunctions, INode } from 'n8n-workflow';

export const MCP_CLIENT = '@n8n/n8n-nodes-langchain.mcpClientTool';
const FIRST_MCP_VERSION = 1.3;
const MCP_REGISTRY_CLIENT = '@n8n/n8n-nodes-langchain.mcpRegistryClientTool';
const LEGACY_HTTP_TOOL = '@n8n/n8n-nodes-langchain.toolHttpRequest';
export const HTTP_TOOL = 'n8n-nodes-base.httpRequestTool';
const WORKFLOW_TOOL = '@n8n/n8n-nodes-langchain.toolWorkflow';
const FIRST_WORKFLOW_TOOL_VERSION = 2;

interface ResponseOptions {
	options?: { response?: { response?: { neverError?: unknown; fullResponse?: unknown } } };
}

/** With Never Error a refusal looks like a success, unless the status is part of the answer. */
function hidesErrors({ parameters }: INode): boolean {
	const response = (parameters as ResponseOptions | undefined)?.options?.response?.response;
	return Boolean(response?.neverError) && response?.fullResponse !== true;
}

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
	if (tool.type === MCP_REGISTRY_CLIENT) {
		return `${name} is an MCP Registry Client, whose errors n8n gives out as successes: use the MCP Client Tool.`;
	}
	if (tool.type === WORKFLOW_TOOL && tool.typeVersion < FIRST_WORKFLOW_TOOL_VERSION) {
		return `${name} is a Call n8n Workflow Tool of version ${tool.typeVersion}, which n8n can run for agents only: replace it by a new one.`;
	}
	if (tool.type === HTTP_TOOL && hidesErrors(tool)) {
		return `${name} has Never Error on, so a refusal would look like a success: turn it off, or turn on Include Response Headers and Status too.`;
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
