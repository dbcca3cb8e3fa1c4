import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Meta } from '../../service/contract/primitives';
import { readHandedDown, type HandedDown } from './handed-down';
import { roundOf } from './round';
import { sha256Hex } from './sha256';

export type IdentityContext = Pick<
	IExecuteFunctions,
	| 'evaluateExpression'
	| 'getExecutionId'
	| 'getMode'
	| 'getNode'
	| 'getParentNodes'
	| 'getWorkflow'
	| 'getWorkflowDataProxy'
>;

/** What the person gave on the panel, evaluated for this item. */
export interface IdentityParameters {
	runId?: unknown;
	sharedRunId?: boolean;
	/** An expression may give a number. */
	stepName?: unknown;
}

export interface StepIdentity {
	runId: string;
	step: string;
	slot: string;
	meta: Meta;
}

/** The run id that a person gave, as text; undefined where the field is empty. */
function givenRunId(
	context: IdentityContext,
	itemIndex: number,
	value: unknown,
): string | undefined {
	const text = typeof value === 'string' ? value.trim() : value;
	if (typeof text === 'string' && text !== '') return text;
	if (typeof text === 'number' && Number.isFinite(text)) return String(text);
	// An expression that gives nothing must not fall back to the automatic id: the person believes
	// that their order number protects them.
	const node = context.getNode();
	const filledIn = (node.parameters.runId ?? '') !== '';
	if (!filledIn && (text === '' || text === undefined || text === null)) return undefined;
	throw new NodeOperationError(
		node,
		'The Run ID gives no text or number for this item: correct the expression, or leave the field empty to use the automatic id.',
		{ itemIndex },
	);
}

/** The run of "this execution and its retries": n8n keeps the signature of the resume URL over them. */
async function automaticRunId(context: IdentityContext, itemIndex: number): Promise<string> {
	const resumeUrl = context.evaluateExpression('{{ $execution.resumeUrl }}', itemIndex);
	const signature = URL.parse(String(resumeUrl))?.searchParams.get('signature');
	if (!signature) {
		throw new NodeOperationError(
			context.getNode(),
			'This execution has no identity that survives a retry: give a Run ID, best an order number.',
			{ itemIndex },
		);
	}
	return `exec:${await sha256Hex(signature)}`;
}

function refuseUnknownCaller(context: IdentityContext, itemIndex: number): void {
	// A called workflow gets a new execution whenever its caller is retried, so the automatic id
	// would let every effect happen again. By hand somebody is only trying it out.
	if (context.getMode() === 'manual') return;
	throw new NodeOperationError(
		context.getNode(),
		'This workflow was called by another one that handed down no run: give a Run ID here, or call it through Idempotent Tool Call.',
		{
			itemIndex,
			description:
				'The automatic run id changes when the caller is retried, and every step here would run again. Operation Sub-Workflow hands it down in the item member "durable" to a trigger that accepts all data or declares an input named "durable" of type object; a Call n8n Workflow Tool only to such an input, mapped to {{ $json.durable }}.',
		},
	);
}

async function findRunId(
	context: IdentityContext,
	itemIndex: number,
	parameters: IdentityParameters,
	parent: HandedDown | undefined,
	called: boolean,
): Promise<string> {
	const given = givenRunId(context, itemIndex, parameters.runId);
	if (given !== undefined) {
		return parameters.sharedRunId ? given : `${context.getWorkflow().id}:${given}`;
	}
	if (parent) return parent.run;
	if (called) refuseUnknownCaller(context, itemIndex);
	return await automaticRunId(context, itemIndex);
}

/**
 * Finds the run of this node and item: what the person gave (prefixed by the workflow's id unless
 * shared), else what a parent workflow handed down, else an id that n8n keeps over retries.
 * @param places see `readHandedDown`
 * @returns the run, and what a parent handed down, which prefixes slots
 */
export async function findRun(
	context: IdentityContext,
	itemIndex: number,
	parameters: IdentityParameters,
	places?: string[],
): Promise<{ runId: string; handedDown?: HandedDown }> {
	const { called, handedDown } = readHandedDown(context, itemIndex, places);
	const runId = await findRunId(context, itemIndex, parameters, handedDown, called);
	return { runId, ...(handedDown && { handedDown }) };
}

/** What the person calls the step, else the node. */
export const stepNameOf = (
	context: Pick<IdentityContext, 'getNode' | 'getWorkflow'>,
	{ stepName }: IdentityParameters,
): string =>
	String(stepName ?? '').trim() || `${context.getWorkflow().id ?? ''}/${context.getNode().id}`;

/** A place in this workflow, below the place that a parent workflow handed down. */
export const slotUnder = (parent: HandedDown | undefined, place: string): string =>
	parent ? `${parent.slot}>${place}` : place;

/**
 * Names the step of this node and item: its run (see `findRun`), step name, slot, and where it
 * came from. Never the execution's id.
 * @param places see `readHandedDown`
 */
export async function stepIdentity(
	context: IdentityContext,
	itemIndex: number,
	parameters: IdentityParameters,
	places?: string[],
): Promise<StepIdentity> {
	const node = context.getNode();
	const workflowId = context.getWorkflow().id ?? '';
	const { runId, handedDown } = await findRun(context, itemIndex, parameters, places);
	const place = `${workflowId}/${node.id}#${roundOf(context)}.${itemIndex}`;
	return {
		runId,
		step: stepNameOf(context, parameters),
		slot: slotUnder(handedDown, place),
		meta: {
			workflowId,
			executionId: context.getExecutionId(),
			node: node.id,
			nodeLabel: node.name,
			item: itemIndex,
		},
	};
}
