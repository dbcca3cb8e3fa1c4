import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { withOutcome, type Outcome } from './outcome';

/** Which outputs the node has besides *Not approved* and *Approved*. */
export interface FurtherOutputs {
	expiredOutput?: boolean;
	changesOutput?: boolean;
}

/** The most outputs that the node can have. */
export const MOST_OUTPUTS = 4;

/**
 * The node's outputs for n8n, which evaluates this on its own: 0 *Not approved*, 1 *Approved*, then
 * *Expired* and *Changes requested*, where the options ask for them.
 */
export const OUTPUTS = `={{ ((options) => [
	{ type: 'main', displayName: 'Not approved' },
	{ type: 'main', displayName: 'Approved' },
	...(options.expiredOutput ? [{ type: 'main', displayName: 'Expired' }] : []),
	...(options.changesOutput ? [{ type: 'main', displayName: 'Changes requested' }] : []),
])($parameter.options ?? {}) }}`;

/**
 * Sends the decided items out. Everything that has no output of its own and is not approved goes out
 * of output 0.
 */
export function route(
	items: INodeExecutionData[],
	outcome: Outcome,
	{ expiredOutput = false, changesOutput = false }: FurtherOutputs,
): INodeExecutionData[][] {
	const names = [
		'notApproved',
		'approved',
		...(expiredOutput ? ['expired'] : []),
		...(changesOutput ? ['changes'] : []),
	];
	const at = names.indexOf(wayOf(outcome));
	const decided = withOutcome(items, outcome);
	return names.map((_, index) => (index === Math.max(at, 0) ? decided : []));
}

function wayOf({ approved, decision, via }: Outcome): string {
	if (approved) return 'approved';
	if (via === 'deadline') return 'expired';
	return decision === 'changes' ? 'changes' : 'notApproved';
}

/** The options that add outputs. */
export const outputOptions: INodeProperties[] = [
	{
		displayName: 'Output for Changes Requested',
		name: 'changesOutput',
		type: 'boolean',
		default: false,
		description:
			'Whether items leave by an output of their own when people ask for changes, which is then offered. Otherwise they leave by Not approved.',
	},
	{
		displayName: 'Output for Expired',
		name: 'expiredOutput',
		type: 'boolean',
		default: false,
		description:
			'Whether items leave by an output of their own when the deadline passed without approval. Otherwise they leave by Not approved.',
	},
];
