import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

interface Kept {
	answeredCalls?: string[];
}

/** What n8n keeps about an agent that it calls again with answers; not in its published types. */
interface Resumed {
	subNodeExecutionData?: {
		actions?: Array<{ nodeName: string; action: { id: string; input?: { tool?: unknown } } }>;
	};
}

/** Notes that the agent got an answer to this call, be it an error. */
export function noteAnswered(
	context: Pick<IExecuteFunctions, 'getContext'>,
	toolCallId: string,
): void {
	const kept = context.getContext('node') as Kept;
	kept.answeredCalls = [...(kept.answeredCalls ?? []), toolCallId];
}

/**
 * Stops an agent that would go on without the answer to a call. With "Save execution progress", n8n
 * resumes a crashed agent behind the call that was in flight, and tells the model an empty text: it
 * would take that for an answer, and nobody would learn of the doubt.
 */
export function refuseMissingAnswer(
	context: Pick<IExecuteFunctions, 'getNode' | 'getContext' | 'getExecuteData'>,
): void {
	const { answeredCalls = [] } = context.getContext('node') as Kept;
	const { subNodeExecutionData } = (context.getExecuteData().metadata ?? {}) as Resumed;
	const { name } = context.getNode();
	const missing = subNodeExecutionData?.actions?.find(
		({ nodeName, action }) => nodeName === name && !answeredCalls.includes(action.id),
	);
	if (!missing) return;
	throw new NodeOperationError(
		context.getNode(),
		`n8n goes on without the answer to a call of "${String(missing.action.input?.tool)}" that was in flight when it stopped: start the workflow anew with the same Run ID, where every finished call gets its recorded result.`,
		{
			description:
				'It does so where the workflow setting "Save execution progress" is on: turned off, a retry begins at the trigger and needs no new start. The call in flight is in doubt in the journal.',
		},
	);
}
