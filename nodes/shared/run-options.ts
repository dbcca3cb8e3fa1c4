import type { IExecuteFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import type { OnInDoubt } from '../../service/contract/steps';
import type { StepRequest } from './claim-step';
import type { IdentityParameters } from './step-identity';

/** The `options` collection of a durable node, with its defaults. */
export interface RunOptions {
	identity: IdentityParameters;
	claim: Pick<StepRequest, 'gateId' | 'lookAfterMs' | 'onInDoubt' | 'onInputChange' | 'retry'> & {
		leaseMs: number;
		receiverWindowMs?: number;
	};
	/** How long to wait for another holder or for the next attempt, in ms. */
	waitMs: number;
}

const HOUR_MS = 3_600_000;

interface RawOptions {
	gateId?: unknown;
	leaseSeconds?: number;
	lookAfterSeconds?: number;
	maxAttempts?: number;
	onInDoubt?: OnInDoubt;
	onInputChange?: 'stop' | 'run';
	receiverWindowHours?: number;
	sharedRunId?: boolean;
	stepName?: string;
	waitSeconds?: number;
}

/** Reads the Run ID and the options of `run-properties` for one item. */
export function readRunOptions(
	context: Pick<IExecuteFunctions, 'getNodeParameter'>,
	itemIndex: number,
): RunOptions {
	const options = context.getNodeParameter('options', itemIndex, {}) as RawOptions;
	const onInDoubt = options.onInDoubt ?? 'fail';
	return {
		identity: {
			runId: context.getNodeParameter('runId', itemIndex, ''),
			sharedRunId: options.sharedRunId ?? false,
			stepName: options.stepName ?? '',
		},
		claim: {
			leaseMs: Math.round((options.leaseSeconds ?? 60) * 1000),
			onInDoubt,
			onInputChange: options.onInputChange ?? 'stop',
			retry: { maxAttempts: options.maxAttempts ?? 5 },
			...gateOf(options),
			...(onInDoubt === 'retry' && {
				receiverWindowMs: Math.round((options.receiverWindowHours ?? 24) * HOUR_MS),
			}),
			...(onInDoubt === 'verify' && {
				lookAfterMs: Math.round((options.lookAfterSeconds ?? 5) * 1000),
			}),
		},
		waitMs: Math.round((options.waitSeconds ?? 300) * 1000),
	};
}

/** Where the option was added it must give a gate: a step that asks for none would simply run. */
function gateOf(options: RawOptions): { gateId?: string } {
	if (!('gateId' in options)) return {};
	const gateId = String(options.gateId ?? '').trim();
	if (gateId !== '') return { gateId };
	throw new UserError(
		'Approved Gate ID gives nothing for this item: correct the expression, or remove the option.',
	);
}
