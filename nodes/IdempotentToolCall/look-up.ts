import type { IExecuteFunctions } from 'n8n-workflow';
import type { LookUp } from '../shared/look-up';
import type { StepIdentity } from '../shared/step-identity';
import { httpLookUp } from './look-up-http';
import { workflowLookUp } from './look-up-workflow';

interface RawOptions {
	onInDoubt?: unknown;
	lookUpBy?: unknown;
}

/** The call that a look is about. */
export interface LookedUpCall {
	identity: Pick<StepIdentity, 'runId' | 'step'>;
	/** Its arguments, as they identify it. */
	input: unknown;
}

/**
 * How to find out whether a call happened, as the panel says; undefined where it is not to be looked
 * up. Read before the claim, so that a mistake in it is said before anything happens.
 */
export function readLookUp(
	context: IExecuteFunctions,
	itemIndex: number,
	call: LookedUpCall,
): LookUp | undefined {
	const options = context.getNodeParameter('options', itemIndex, {}) as RawOptions;
	if (options.onInDoubt !== 'verify') return undefined;
	return options.lookUpBy === 'subWorkflow'
		? workflowLookUp(context, itemIndex, call)
		: httpLookUp(context, itemIndex);
}
