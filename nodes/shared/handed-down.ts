import type { IWorkflowDataProxyData, NodeTypeAndVersion } from 'n8n-workflow';

/** The trigger of a workflow that others call. */
export const CALLED_TRIGGER = 'n8n-nodes-base.executeWorkflowTrigger';

/** What a parent workflow hands to its child in the member `durable` of the child's items. */
export interface HandedDown {
	run: string;
	slot: string;
}

interface ChildContext {
	getNode(): { name: string };
	getParentNodes(nodeName: string): NodeTypeAndVersion[];
	getWorkflowDataProxy(itemIndex: number): IWorkflowDataProxyData;
}

const readMember = (json: unknown): HandedDown | undefined => {
	const member = (json as { durable?: unknown } | undefined)?.durable as
		Partial<HandedDown> | undefined;
	return typeof member?.run === 'string' && typeof member.slot === 'string'
		? { run: member.run, slot: member.slot }
		: undefined;
};

/**
 * Finds what a parent handed down. Only the output of this workflow's own "When Executed by Another
 * Workflow" trigger counts: a `durable` member anywhere else may come from outside.
 * `called` tells whether that trigger started this execution.
 * @param places nodes in whose past the trigger is looked for, by name; this node's where left out
 */
export function readHandedDown(
	context: ChildContext,
	itemIndex: number,
	places = [context.getNode().name],
): { called: boolean; handedDown?: HandedDown } {
	const trigger = places
		.flatMap((place) => context.getParentNodes(place))
		.find((node) => node.type === CALLED_TRIGGER && !node.disabled);
	if (!trigger) return { called: false };
	const output = context.getWorkflowDataProxy(itemIndex).$(trigger.name) as {
		isExecuted: boolean;
		first(): { json: unknown } | undefined;
	};
	if (!output.isExecuted) return { called: false };
	return { called: true, handedDown: readMember(output.first()?.json) };
}
