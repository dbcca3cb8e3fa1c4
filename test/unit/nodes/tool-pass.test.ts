import type { EngineResponse, IExecuteFunctions } from 'n8n-workflow';
import type { PendingStep } from '../../../nodes/shared/engine-step';
import {
	dropPass,
	keepPass,
	newPass,
	resumePass,
} from '../../../nodes/IdempotentToolCall/operations/tool-pass';

/** An execution; its node context survives as JSON, as n8n stores it while a tool waits. */
function contextOf(executionId: string, runIndex = 0, stored: object = {}) {
	const kept = JSON.parse(JSON.stringify(stored)) as object;
	const context = {
		getContext: () => kept,
		getExecutionId: () => executionId,
		getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
	} as unknown as IExecuteFunctions;
	return { context, kept };
}

const tool = { node: 'Tool', type: 'tool' };
const answers = (...ids: string[]) =>
	({
		actionResponses: ids.map((id) => ({ action: { id }, data: {} })),
		metadata: {},
	}) as unknown as EngineResponse;

function asked(actionId: string) {
	const { context, kept } = contextOf('12');
	keepPass(context, { ...newPass(context, tool), pending: { actionId } as PendingStep });
	return kept;
}

it('goes on with the newest answer to its request, also after the tool waited', () => {
	const { context } = contextOf('12', 0, asked('k.2'));
	expect(resumePass(context, answers('k.1', 'k.2'))?.pending.actionId).toBe('k.2');
});

it.each<[string, string, number, EngineResponse | undefined]>([
	['no answer', '12', 0, undefined],
	['an empty answer, as after a crash', '12', 0, answers()],
	['an answer to an earlier attempt', '12', 0, answers('k.1')],
	['the retry of a waiting execution', '13', 0, answers('k.2')],
	['another run of the node', '12', 1, answers('k.2')],
])('starts over from the journal after %s', (_what, executionId, runIndex, response) => {
	const { context } = contextOf(executionId, runIndex, asked('k.2'));
	expect(resumePass(context, response)).toBeUndefined();
});

it('forgets a pass that has ended', () => {
	const { context } = contextOf('12', 0, asked('k.2'));
	dropPass(context);
	expect(resumePass(context, answers('k.2'))).toBeUndefined();
});
