import type { IExecuteFunctions } from 'n8n-workflow';

/** Tells on the canvas that a result was too large to be kept: a later retry will stop at this step. */
export function hintOmitted(context: IExecuteFunctions, itemIndex: number): void {
	context.addExecutionHints({
		message: `The result of item ${itemIndex} was larger than the journal accepts and was not kept: a retry of this execution will stop here. Let the step return less.`,
		location: 'outputPane',
		type: 'warning',
	});
}
