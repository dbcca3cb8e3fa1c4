import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError, UserError } from 'n8n-workflow';
import type { Channel, OpenGateRequest } from '../../service/contract/gates';
import { sha256Hex } from '../shared/sha256';
import { stepIdentity, type StepIdentity } from '../shared/step-identity';
import { withoutDurable } from '../shared/without-durable';
import { deadlineOf, type DeadlineParameters } from './deadline';
import { wakeUpUrl } from './resume-url';

interface GateOptions {
	gateName?: string;
	sharedRunId?: boolean;
	telegramChatId?: string | number;
}

/**
 * The request that opens this node run's gate, for all its items together.
 * @param round which run of the node it is; see `roundOf`
 * @throws NodeOperationError naming the field that cannot work
 */
export async function gateRequest(
	context: IExecuteFunctions,
	round: number,
): Promise<OpenGateRequest> {
	const options = context.getNodeParameter('options', 0, {}) as GateOptions;
	const identity = await sharedIdentity(context, options);
	const deadline = deadlineOf(deadlineParameters(context));
	return {
		runId: identity.runId,
		gate: await gateName(identity, round),
		// As the step identity writes it, but for the round that is meant.
		slot: identity.slot.replace(/#\d+\.0$/, `#${round}.0`),
		input: details(context),
		title: title(context),
		message: String(context.getNodeParameter('message', 0, '') ?? ''),
		channels: channels(context, options),
		resumeUrl: wakeUpUrl(
			String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0) as string),
		),
		...(deadline && {
			deadline,
			onDeadline: context.getNodeParameter('onDeadline', 0) as OpenGateRequest['onDeadline'],
		}),
		meta: { ...identity.meta, item: undefined },
	};
}

/** The identity of the first item, after making sure that the others belong to the same run. */
async function sharedIdentity(
	context: IExecuteFunctions,
	options: GateOptions,
): Promise<StepIdentity> {
	const identityOf = async (item: number) =>
		await stepIdentity(context, item, {
			runId: context.getNodeParameter('runId', item, ''),
			sharedRunId: options.sharedRunId,
			stepName: options.gateName,
		});
	const first = await identityOf(0);
	for (let item = 1; item < context.getInputData().length; item++) {
		if ((await identityOf(item)).runId !== first.runId) {
			throw new NodeOperationError(
				context.getNode(),
				'These items belong to different runs, and one decision cannot stand for several: put this node into a Loop Over Items with batches of one.',
				{ itemIndex: item },
			);
		}
	}
	return first;
}

/**
 * The name of the gate in its run. It carries the round, so that a loop asks anew in each even when
 * the details are the same. For a workflow called by another it also carries the caller's place,
 * since every call starts counting at zero.
 */
async function gateName(identity: StepIdentity, round: number): Promise<string> {
	const caller = identity.slot.slice(0, Math.max(0, identity.slot.lastIndexOf('>')));
	const place = caller ? `@${(await sha256Hex(caller)).slice(0, 16)}` : '';
	return `${identity.step}#${round}${place}`;
}

/** What is being approved: the value of the one item, or a list of those of all items. */
function details(context: IExecuteFunctions): unknown {
	const all = context.getInputData().map((_, item) => {
		const value = context.getNodeParameter('details', item) as unknown;
		if (value === undefined) {
			throw new NodeOperationError(
				context.getNode(),
				'The field Details gives nothing for this item: correct the expression, or empty the field.',
				{ itemIndex: item },
			);
		}
		if (typeof value !== 'string') return value;
		if (value.trim() === '') return {};
		try {
			return JSON.parse(value) as unknown;
		} catch {
			throw new NodeOperationError(
				context.getNode(),
				'The field Details is no valid JSON: correct it.',
				{
					itemIndex: item,
				},
			);
		}
	});
	return withoutDurable(all.length === 1 ? all[0] : all);
}

function title(context: IExecuteFunctions): string {
	const text = String(context.getNodeParameter('title', 0, '') ?? '').trim();
	if (text) return text;
	throw new UserError('The gate has no title: say in the field Title what is to be decided.');
}

function channels(context: IExecuteFunctions, options: GateOptions): Channel[] {
	const chosen = [context.getNodeParameter('channels', 0, []) as unknown].flat();
	// An expression that gives nothing must not become a gate that nobody is told of.
	if (!chosen.every((type) => type === 'telegram')) {
		throw new UserError(
			'The field Channels gives something that is no channel: choose from the list, or correct the expression.',
		);
	}
	const to = String(options.telegramChatId ?? '').trim();
	return chosen.map((type) => (to ? { type, to } : type));
}

function deadlineParameters(context: IExecuteFunctions): DeadlineParameters {
	const read = (name: string) => context.getNodeParameter(name, 0, '') as IDataObject | string;
	return {
		deadlineType: read('deadlineType') as DeadlineParameters['deadlineType'],
		amount: read('deadlineAmount'),
		unit: read('deadlineUnit'),
		time: read('deadlineTime'),
		dateTime: read('deadlineDateTime'),
		timeZone: String(read('deadlineTimeZone')).trim() || context.getTimezone(),
	};
}
