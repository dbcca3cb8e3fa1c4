import type { IExecuteFunctions } from 'n8n-workflow';
import type { AgentPlace } from '../shared/agent-place';

interface Kept {
	/** Run of an agent → call → ids of the model's calls. */
	sameCalls?: Record<string, Record<string, string[]>>;
}

/** Object fields in one order, so that the same call is recognised however the model wrote it. */
export const canonical = (value: unknown): string =>
	JSON.stringify(value, (_, member: unknown) =>
		typeof member === 'object' && member !== null && !Array.isArray(member)
			? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
			: member,
	);

/**
 * The how-manieth time this call is made in this run of the agent, from 1. n8n keeps the count exactly
 * as long as the agent's conversation: both survive a retry that goes on in mid-conversation, and both
 * are lost where the agent begins anew.
 * @param toolCallId asked again with the same one, it gets the same number
 */
export function countSameCall(
	context: Pick<IExecuteFunctions, 'getContext'>,
	{ agent, round }: Pick<AgentPlace, 'agent' | 'round'>,
	call: unknown,
	toolCallId: string,
): number {
	const kept = context.getContext('node') as Kept;
	const calls = ((kept.sameCalls ??= {})[`${agent}#${round}`] ??= {});
	const ids = (calls[canonical(call)] ??= []);
	if (!ids.includes(toolCallId)) ids.push(toolCallId);
	return ids.indexOf(toolCallId) + 1;
}
