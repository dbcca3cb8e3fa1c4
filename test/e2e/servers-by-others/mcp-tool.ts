import type { WorkflowNode } from '../n8n/n8n-client';

/** n8n's MCP Client Tool, for all tools of a server. */
export const mcpTool = (endpointUrl: string): WorkflowNode => ({
	name: 'Everything',
	type: '@n8n/n8n-nodes-langchain.mcpClientTool',
	typeVersion: 1.3,
	parameters: {
		serverTransport: 'httpStreamable',
		endpointUrl,
		authentication: 'none',
		include: 'all',
		options: {},
	},
});
