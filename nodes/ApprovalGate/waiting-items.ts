import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { undecided, withOutcome } from './outcome';

/** What is kept in n8n's entry for this waiting node run, beside its input. */
interface Waiting {
	round: number;
	/** Per item: what it had under the names that were put over it. */
	covered: IDataObject[];
	/** Those names; the outcome's where it is left out. */
	names?: string[];
}

const MEMBER = 'durableGate';
const OUTCOME_NAMES = Object.keys(undecided(null));

/** Where n8n keeps what belongs to one run of one node; it writes and reads it together with the input. */
type Metadata = Parameters<IExecuteFunctions['setMetadata']>[0] & { [MEMBER]?: Waiting };

/**
 * Makes this node's input say "not approved", and returns it.
 *
 * What n8n passes through by itself, without asking this node again (a retry of the waiting
 * execution, for one), is this input, on output 0. It also carries the gate id, because `webhook()`
 * cannot compute which gate it waits for.
 * @param more what the items say besides
 */
export function markAsWaiting(
	context: IExecuteFunctions,
	gateId: string,
	round: number,
	more: IDataObject = {},
): INodeExecutionData[] {
	const items = context.getInputData();
	const names = [...OUTCOME_NAMES, ...Object.keys(more)];
	const covered = items.map(({ json }) =>
		Object.fromEntries(names.filter((name) => name in json).map((name) => [name, json[name]])),
	);
	const marked = withOutcome(items, undecided(gateId)).map((item) => ({
		...item,
		json: { ...item.json, ...more },
	}));
	context.getExecuteData().data.main = [marked];
	context.setMetadata({ [MEMBER]: { round, covered, names } } as Metadata);
	return marked;
}

/**
 * Undoes that where n8n executes a waiting run again: after a crash behind the gate it starts the
 * retry here, with the marked input. Nobody may be asked twice, so the same input must give the same
 * gate.
 * @returns the round of the run that waited; undefined where this run has not waited before
 */
export function takeBackMark(context: IExecuteFunctions): number | undefined {
	const waiting = (context.getExecuteData().metadata as Metadata | undefined)?.[MEMBER];
	if (!waiting) return undefined;
	const { names = OUTCOME_NAMES } = waiting;
	for (const [index, item] of context.getInputData().entries()) {
		const own = Object.entries(item.json).filter(([name]) => !names.includes(name));
		item.json = { ...Object.fromEntries(own), ...waiting.covered[index] };
	}
	return waiting.round;
}
