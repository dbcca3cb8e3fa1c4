/** SQL of `gate_decisions`: what each person said of a gate, one row a person. */
import type { Queries } from './database';

/** A person's later word replaces an earlier one, as long as the gate is open. */
export async function saveGateDecision(
	queries: Queries,
	gateRef: number,
	approver: string,
	decisionJson: string,
): Promise<void> {
	await queries.run(
		`INSERT INTO gate_decisions (gate_ref, approver, decision_json) VALUES (?, ?, ?)
		 ON CONFLICT (gate_ref, approver) DO UPDATE SET decision_json = excluded.decision_json`,
		gateRef,
		approver,
		decisionJson,
	);
}

/** In the order in which people first spoke. */
export async function listGateDecisions(queries: Queries, gateRef: number): Promise<string[]> {
	const rows = await queries.all<{ decision_json: string }>(
		'SELECT decision_json FROM gate_decisions WHERE gate_ref = ? ORDER BY id',
		gateRef,
	);
	return rows.map((row) => row.decision_json);
}
