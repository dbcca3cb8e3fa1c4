import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { StepRequest } from '../shared/claim-step';
import { readGuard } from './guard';
import { roundOf } from '../shared/round';
import { keepOnly, leadsSomewhere, leaveOut, parseFieldPaths } from '../shared/key-fields';

interface RawOptions {
	keyFieldsOnly?: unknown;
	keyFieldsLeftOut?: unknown;
	keyIncludesPlace?: boolean;
	ownKey?: unknown;
}

const textOf = (value: unknown) => String(value ?? '').trim();

/**
 * The key that a person gave for this item. An expression that gives nothing must not fall back to
 * the arguments: the person relies on their key.
 */
function readOwnKey(context: IExecuteFunctions, itemIndex: number, given: unknown) {
	const { options } = context.getNode().parameters as { options?: RawOptions };
	if (options?.ownKey === undefined) return undefined;
	const key = textOf(given);
	if (key !== '') return key;
	throw new NodeOperationError(
		context.getNode(),
		'The option Own Idempotency Key gives nothing for this item: correct the expression, or remove the option.',
		{ itemIndex },
	);
}

/**
 * What identifies a call: what is fixed about it, and of its arguments what the person chose on the
 * panel, by default all.
 * @param fixed always part of it, such as the kind of tool
 * @param args arguments that the options may choose from
 * @returns the members of the claim that decide its key, and whether it may be made at all
 * @throws NodeOperationError where a chosen field does not exist: without it, calls that differ would be one
 */
export function stepInput(
	context: IExecuteFunctions,
	itemIndex: number,
	fixed: Record<string, unknown>,
	args: Record<string, unknown>,
): Pick<StepRequest, 'guard' | 'input' | 'idempotencyKey'> {
	const options = context.getNodeParameter('options', itemIndex, {}) as RawOptions;
	const only = parseFieldPaths(textOf(options.keyFieldsOnly));
	const missing = only.find((path) => !leadsSomewhere(args, path));
	if (missing) {
		throw new NodeOperationError(
			context.getNode(),
			`The option Key Fields names "${missing.join('.')}", which this item's call does not have: correct the name, or calls that differ would count as one.`,
			{ itemIndex },
		);
	}
	const chosen = only.length > 0 ? keepOnly(args, only) : args;
	const left = leaveOut(chosen, parseFieldPaths(textOf(options.keyFieldsLeftOut)));
	const idempotencyKey = readOwnKey(context, itemIndex, options.ownKey);
	return {
		input: {
			...fixed,
			...(left as Record<string, unknown>),
			...(options.keyIncludesPlace && { place: { round: roundOf(context), item: itemIndex } }),
		},
		...(idempotencyKey !== undefined && { idempotencyKey }),
		...readGuard(context, itemIndex),
	};
}
