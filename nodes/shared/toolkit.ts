/** The tools of what is connected: a toolkit's, which n8n knows by this member, or the tool itself. */
export function toolsOf<Tool>(connected: unknown): Array<{ tool: Tool; ofToolkit: boolean }> {
	const tools = (connected as { tools?: unknown } | undefined)?.tools;
	return Array.isArray(tools)
		? tools.map((tool: Tool) => ({ tool, ofToolkit: true }))
		: [{ tool: connected as Tool, ofToolkit: false }];
}

/** Whether a person means this tool: by its full name, or without the node's name that n8n puts before it. */
export const isNamed = (asked: string, nodeName: string, toolName: string): boolean =>
	toolName === asked || toolName === `${nodeName.replace(/[^a-zA-Z0-9]/g, '_')}_${asked}`;
