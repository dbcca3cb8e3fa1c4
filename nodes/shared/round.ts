import type { IExecuteFunctions } from 'n8n-workflow';

export type RoundContext = Pick<IExecuteFunctions, 'getNode' | 'getWorkflowDataProxy'>;

/**
 * Which run of this node in its execution it is, from 0; the same when a retry comes to it again.
 *
 * That is n8n's run index, less one after a crash: for every node that had begun, n8n's recovery
 * writes a run that holds a placeholder, or no data where the node was interrupted, and the retry
 * counts on from there.
 */
export function roundOf(context: RoundContext): number {
	const runIndex = context.getWorkflowDataProxy(0).$runIndex as number;
	return roundOfNode(context, context.getNode().name, runIndex);
}

/** As `roundOf`, for the run `runIndex` of another node. */
export const roundOfNode = (context: RoundContext, node: string, runIndex: number): number =>
	runIndex > 0 && firstRunIsMadeUp(context, node) ? runIndex - 1 : runIndex;

function firstRunIsMadeUp(context: RoundContext, node: string): boolean {
	const { $items } = context.getWorkflowDataProxy(0) as unknown as {
		$items(
			node: string,
			output: number,
			run: number,
		): Array<{ json: { isArtificialRecoveredEventItem?: boolean } }>;
	};
	try {
		return $items(node, 0, 0)[0]?.json.isArtificialRecoveredEventItem === true;
	} catch {
		// There is no data: only an interrupted run leaves none, and the execution goes on after it
		// only by a retry.
		return true;
	}
}
