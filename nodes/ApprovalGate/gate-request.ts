import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError, UserError } from 'n8n-workflow';
import type { OpenGateRequest } from '../../service/contract/gates';
import { sha256Hex } from '../shared/sha256';
import { stepIdentity, type StepIdentity } from '../shared/step-identity';
import { withoutDurable } from '../shared/without-durable';
import { gateTerms, type TermOptions } from './gate-terms';
import { wakeUpUrl } from './resume-url';
import type { Review } from './tool-review';

interface GateOptions extends TermOptions {
	gateName?: string;
	sharedRunId?: boolean;
}

/**
 * The request that opens this node run's gate, for all its items together.
 * @param round which run of the node it is; see `roundOf`
 * @param review the agent's call that is asked about, in the human-review variant
 * @throws NodeOperationError naming the field that cannot work
 */
export async function gateRequest(
	context: IExecuteFunctions,
	round: number,
	review?: Review,
): Promise<OpenGateRequest> {
	const options = context.getNodeParameter('options', 0, {}) as GateOptions;
	const identity = await sharedIdentity(context, options, review?.places);
	return {
		runId: identity.runId,
		// An agent's calls come in any order, and on the next try in another one: no round, and no slot
		// in which a gate would supersede that of another call.
		gate: await gateName(identity, review ? undefined : round),
		// As the step identity writes it, but for the round that is meant.
		...(!review && { slot: identity.slot.replace(/#\d+\.0$/, `#${round}.0`) }),
		input: review ? review.input : details(context),
		title: review?.title ?? title(context),
		message: review?.message ?? String(context.getNodeParameter('message', 0, '') ?? ''),
		...gateTerms(context, options),
		resumeUrl: wakeUpUrl(
			String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0) as string),
		),
		meta: { ...identity.meta, item: undefined, toolCallId: review?.toolCallId.slice(0, 256) },
	};
}

/** The identity of the first item, after making sure that the others belong to the same run. */
async function sharedIdentity(
	context: IExecuteFunctions,
	options: GateOptions,
	places?: string[],
): Promise<StepIdentity> {
	const identityOf = async (item: number) =>
		await stepIdentity(
			context,
			item,
			{
				runId: context.getNodeParameter('runId', item, ''),
				sharedRunId: options.sharedRunId,
				stepName: options.gateName,
			},
			places,
		);
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
async function gateName(identity: StepIdentity, round?: number): Promise<string> {
	const caller = identity.slot.slice(0, Math.max(0, identity.slot.lastIndexOf('>')));
	const place = caller ? `@${(await sha256Hex(caller)).slice(0, 16)}` : '';
	return `${identity.step}${round === undefined ? '' : `#${round}`}${place}`;
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
