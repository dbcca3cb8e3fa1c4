/** What n8n keeps of an agent that waits for the human review of its calls. */
import type { IDataObject } from 'n8n-workflow';
import { GATE_ID } from './gate';

export interface WaitingCall {
	id: string;
	tool: string;
	args?: unknown;
	/** What the model wrote for the review itself. */
	aside?: IDataObject;
	metadata?: IDataObject;
}

/** The run's data while the first of these calls waits for people; the others come after it. */
export function agentRun(calls: WaitingCall[], { items = 1 } = {}) {
	const actions = calls.map(({ id, tool, args, aside, metadata }, runIndex) => ({
		nodeName: 'Review',
		runIndex,
		action: {
			id,
			nodeName: 'Review',
			input: { toolParameters: args, tool, ...aside },
			metadata: {
				...metadata,
				hitl: { gatedToolNodeName: `Node of ${tool}`, toolName: tool, originalInput: args },
			},
		},
	}));
	const agent = {
		node: { name: 'Agent' },
		data: { main: [Array.from({ length: items }, () => ({ json: {} }))] },
		metadata: {
			subNodeExecutionData: { actions, metadata: { previousRequests: [] as IDataObject[] } },
		},
	};
	const review = calls.map((_, runIndex) => ({
		node: { name: 'Review' },
		runIndex,
		data: { main: [[{ json: { gateId: GATE_ID } }]] },
	}));
	return {
		runExecutionData: {
			executionData: { nodeExecutionStack: [...review, agent] },
			resultData: { runData: {} as IDataObject },
		},
		/** What n8n will give to the tool of a call. */
		givenTo: (index: number) => actions[index]!.action.metadata.hitl.originalInput,
		/** What the model was told before, as n8n keeps it. */
		told: () => agent.metadata.subNodeExecutionData.metadata.previousRequests as any[],
	};
}
