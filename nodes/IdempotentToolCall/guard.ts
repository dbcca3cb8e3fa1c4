import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { StepRequest } from '../shared/claim-step';

interface RawOptions {
	guardKey?: unknown;
	guardHours?: unknown;
	guardOnRepeat?: 'refuse' | 'replay';
}

const HOUR_MS = 3_600_000;

/**
 * The option Once Per of this item. An expression that gives nothing must not mean "as often as you
 * like": the person relies on it.
 */
export function readGuard(
	context: Pick<IExecuteFunctions, 'getNode' | 'getNodeParameter'>,
	itemIndex: number,
): Pick<StepRequest, 'guard'> {
	const { options: given } = context.getNode().parameters as { options?: RawOptions };
	if (given?.guardKey === undefined) return {};
	const options = context.getNodeParameter('options', itemIndex, {}) as RawOptions;
	const key = String(options.guardKey ?? '').trim();
	const withinMs = Math.round(Number(options.guardHours ?? 24) * HOUR_MS);
	if (key === '' || !(withinMs > 0)) {
		throw new NodeOperationError(
			context.getNode(),
			'The option Once Per gives nothing for this item, or Once Within is not a number of hours: correct it, or remove the option.',
			{ itemIndex },
		);
	}
	return { guard: { key, withinMs, onRepeat: options.guardOnRepeat ?? 'refuse' } };
}
