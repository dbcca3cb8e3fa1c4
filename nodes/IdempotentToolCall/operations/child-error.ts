import type { IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';
import { attempt } from '../../shared/attempt';
import { classifyError, type Classification } from '../../shared/classify-error';
import type { ErrorFacts } from '../../shared/error-facts';

/** What n8n throws when a called workflow fails, as far as it is known; after it, nothing is certain. */
interface ChildError {
	message?: unknown;
	/** Missing where n8n started no execution. */
	executionId?: unknown;
	/** The node of the called workflow that failed. */
	node?: { name?: unknown; type?: unknown };
	/** The failed node's own error. */
	errorResponse?: { context?: { durable?: Partial<ErrorFacts> } };
}

/** How far the execution came: nothing ran; only its trigger and the node that failed; or more. */
type Reach = 'nothing' | 'one_node' | 'more';

/** @param data of the called execution; undefined where n8n did not keep it */
export function reachOf(data: IRunExecutionData | undefined, failedNode: unknown): Reach {
	if (!data) return 'more';
	// The tools of a node have run on its behalf; what they did is in its own error.
	const ran = Object.entries(data.resultData.runData).flatMap(([name, runs]) =>
		runs.filter((run) => !run.inputOverride).map((run) => ({ name, ...run })),
	);
	ran.sort((a, b) => a.executionIndex - b.executionIndex);
	const [first, second, ...others] = ran;
	if (!first || (first.executionStatus === 'error' && !second)) return 'nothing';
	return second?.name === failedNode && others.length === 0 ? 'one_node' : 'more';
}

/** Facts of the durable node that failed. A node that calls a workflow hands on the error within. */
function factsOf(ownType: string, { node, errorResponse }: ChildError): Partial<ErrorFacts> {
	const ownPackage = ownType.slice(0, ownType.lastIndexOf('.') + 1);
	const durable = typeof node?.type === 'string' && node.type.startsWith(ownPackage);
	return (durable && errorResponse?.context?.durable) || {};
}

/**
 * What a failed call of a workflow makes of the calling step. Any node of it may have had its effect
 * before another failed, so the call is in doubt, but for three cases: n8n never started it; nothing
 * in it ran; or nothing but a durable node, whose own step knows what happened.
 * @param repeatable the workflow may be repeated as a whole
 */
export async function classifyChildError(
	context: Pick<IExecuteFunctions, 'getExecutionDataById' | 'getNode'>,
	error: unknown,
	repeatable: boolean,
): Promise<Classification> {
	const found = classifyError(error, { repeatable, now: Date.now() });
	const { executionId, node } = error as ChildError;
	if (typeof executionId !== 'string') {
		const message = `the workflow was not started (${found.message}): choose one that exists, and publish it`;
		return { verdict: 'terminal', message };
	}
	const looked = await attempt(context.getExecutionDataById(executionId));
	const reach = reachOf(looked.ok ? looked.value : undefined, node?.name);
	if (reach === 'nothing') {
		const message = `n8n did not let the workflow run (${found.message}): look at its settings and at the credentials of its nodes`;
		return { verdict: 'terminal', message };
	}
	const { verdict, code } = factsOf(context.getNode().type, error as ChildError);
	if (reach === 'one_node' && verdict) {
		// The doubt is that of the step within. Once it is settled, another try finds its outcome, so
		// a second doubt here would have to be settled for nothing.
		return {
			verdict: verdict === 'retryable' ? 'retryable' : 'terminal',
			message: `a step of the called workflow stopped, and nothing else in it ran: ${found.message}`,
			...(code && { code }),
		};
	}
	const message = `the called workflow failed (execution ${executionId}): ${found.message}`;
	return repeatable ? found : { ...found, verdict: 'in_doubt', message };
}
