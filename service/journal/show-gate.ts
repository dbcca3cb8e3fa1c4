import type { Approver, Channel, Gate } from '../contract/gates';
import type { Queries } from '../store/database';
import { findGate, findGateByRef, type GateRow } from '../store/gates';
import { describeGate, frozenRequest } from './describe-gate';
import { NAMESPACE, type Journal } from './journal';
import { orThrow } from './problem';
import { noSuchGate } from './read-gate';

/** A gate with all that people are shown before they decide, as the first open froze it. */
export interface ShownGate {
	readonly gate: Gate;
	/** `gates.id` */
	readonly gateRef: number;
	/** What is being approved. */
	readonly input: unknown;
	readonly channels: readonly Channel[];
	/** Who may decide; empty when nobody is named. */
	readonly approvers: readonly Approver[];
	readonly quorum: number;
}

/** @throws JournalProblem not_found */
export async function showGate(journal: Journal, gateId: string): Promise<ShownGate> {
	const answer = await journal.database.read(async (queries) => {
		const row = await findGate(queries, NAMESPACE, gateId);
		return row ? await shownGate(queries, row) : noSuchGate(gateId);
	});
	return orThrow(answer);
}

/** The same inside a transaction or read of the caller. @param gateRef `gates.id` */
export async function showGateByRef(
	queries: Queries,
	gateRef: number,
): Promise<ShownGate | undefined> {
	const row = await findGateByRef(queries, gateRef);
	return row && (await shownGate(queries, row));
}

async function shownGate(queries: Queries, row: GateRow): Promise<ShownGate> {
	const { input, channels, approvers, quorum } = await frozenRequest(queries, row);
	return {
		gate: await describeGate(queries, row),
		gateRef: row.id,
		input,
		channels: channels ?? [],
		approvers: approvers ?? [],
		quorum: quorum ?? 1,
	};
}
