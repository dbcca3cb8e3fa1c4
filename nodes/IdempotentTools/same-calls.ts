import type { IExecuteFunctions } from 'n8n-workflow';

interface Kept {
	sameCalls?: { scope: string; ids: Record<string, string[]> };
}

/** Object fields in one order, so that the same call is recognised however the model wrote it. */
export const canonical = (value: unknown): string =>
	JSON.stringify(value, (_, member: unknown) =>
		typeof member === 'object' && member !== null && !Array.isArray(member)
			? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
			: member,
	);

/**
 * The how-manieth time this call is made in this run of the agent, from 1. A retry is another
 * execution and begins anew, so it counts as the first try did.
 * @param agentRound which run of the agent in its execution it is
 * @param toolCallId asked again with the same one, it gets the same number
 */
export function countSameCall(
	context: Pick<IExecuteFunctions, 'getContext' | 'getExecutionId'>,
	agentRound: number,
	call: unknown,
	toolCallId: string,
): number {
	const kept = context.getContext('node') as Kept;
	const scope = `${context.getExecutionId()}#${agentRound}`;
	if (kept.sameCalls?.scope !== scope) kept.sameCalls = { scope, ids: {} };
	const ids = (kept.sameCalls.ids[canonical(call)] ??= []);
	if (!ids.includes(toolCallId)) ids.push(toolCallId);
	return ids.indexOf(toolCallId) + 1;
}
