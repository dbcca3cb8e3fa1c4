import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Gate } from '../../service/contract/gates';

/**
 * What the gate adds to every item. Always all of it, so that nothing of an earlier gate in the same
 * workflow shines through. No URL and no token: an agent downstream could approve itself with one.
 */
export interface Outcome extends IDataObject {
	approved: boolean;
	/** `approve`, `reject`, `changes`; null when nobody and no deadline decided. */
	decision: string | null;
	decidedBy: string | null;
	/** `telegram`, `slack`, `email`, `inbox`, `link`, `api`, `deadline`. */
	via: string | null;
	comment: string | null;
	edits: IDataObject | null;
	gateId: string | null;
	/** From the first open to the decision, in milliseconds. */
	waitedMs: number | null;
}

/** What is known without a decision of the journal: nothing, so it is not approved. */
export function undecided(gateId: string | null): Outcome {
	return {
		approved: false,
		decision: null,
		decidedBy: null,
		via: null,
		comment: null,
		edits: null,
		gateId,
		waitedMs: null,
	};
}

/** The outcome of a gate as the journal knows it. Only its state `approved` approves. */
export function outcomeOf(gate: Gate): Outcome {
	const { decision } = gate;
	if (!decision) return undecided(gate.gateId);
	return {
		approved: gate.state === 'approved',
		decision: decision.decision,
		decidedBy: decision.by,
		via: decision.via,
		comment: decision.comment ?? null,
		edits: (decision.edits as IDataObject | undefined) ?? null,
		gateId: gate.gateId,
		waitedMs: Date.parse(decision.at) - Date.parse(gate.openedAt),
	};
}

/**
 * New items with the outcome in them; upstream nodes share the old ones' `json`. What an approver
 * edited takes the place of what the item had under that name: nothing behind the gate may go on with
 * the amount that was not approved.
 */
export function withOutcome(items: INodeExecutionData[], outcome: Outcome): INodeExecutionData[] {
	const edits = Object.entries((outcome.approved && outcome.edits) || {});
	return items.map((item, index) => ({
		...item,
		json: {
			...item.json,
			...Object.fromEntries(edits.filter(([name]) => Object.hasOwn(item.json, name))),
			...outcome,
		},
		pairedItem: { item: index },
	}));
}
