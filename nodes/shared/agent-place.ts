import type { IExecuteFunctions } from 'n8n-workflow';
import { roundOfNode, type RoundContext } from './round';

interface Source {
	previousNode: string;
	previousNodeRun?: number;
}

/** Where the agent stands that called this node. */
export interface AgentPlace {
	/** Nodes in whose past the workflow's trigger is, by name. */
	places: string[];
	/** Name of the agent. */
	agent: string;
	/** Which run of the agent in its execution it is, from 0. */
	round: number;
}

/**
 * Finds the agent by what n8n says about this run of the node. An agent that is itself a tool has no
 * past of its own; n8n keeps the node before the outermost agent in the metadata for it.
 */
export function agentPlace(
	context: Pick<IExecuteFunctions, 'getExecuteData' | 'getChildNodes'> & RoundContext,
): AgentPlace {
	const { source, metadata } = context.getExecuteData();
	const agent = source?.main?.[0] as Source | undefined;
	const before = (metadata?.preservedSourceOverwrite as Source | undefined)?.previousNode;
	// Parents of the nodes after it are that node and its own parents.
	const after = before ? context.getChildNodes(before).map(({ name }) => name) : [];
	return {
		places: [...(agent ? [agent.previousNode] : []), ...after],
		agent: agent?.previousNode ?? '',
		round: agent ? roundOfNode(context, agent.previousNode, agent.previousNodeRun ?? 0) : 0,
	};
}
