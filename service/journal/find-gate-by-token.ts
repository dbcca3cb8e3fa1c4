import { readDecisionToken, type DecisionToken } from '../domain/decision-token';
import type { ShownGate } from '../domain/shown-gate';
import { findGate } from '../store/gates';
import { NAMESPACE, type Journal } from './journal';
import { shownGate } from './show-gate';

export type GateByToken =
	| {
			readonly outcome: 'found';
			readonly shown: ShownGate;
			/** In whose name the holder decides; undefined when the link only shows. */
			readonly by: string | undefined;
	  }
	/** `unknown`: altered, signed with another secret, or its gate was erased. */
	| { readonly outcome: 'expired' | 'unknown' };

/** What the holder of a decision token may see and do. Changes nothing. */
export async function findGateByToken(journal: Journal, token: string): Promise<GateByToken> {
	return await journal.database.read(async (queries) => {
		const read = readDecisionToken(journal.secret, token, queries.now);
		if (read === 'expired') return { outcome: 'expired' };
		if (read === 'invalid') return { outcome: 'unknown' };
		const row = await findGate(queries, NAMESPACE, read.gateId);
		if (!row) return { outcome: 'unknown' };
		const shown = await shownGate(queries, row);
		return { outcome: 'found', shown, by: nameOf(read.holder, shown) };
	});
}

function nameOf(holder: DecisionToken['holder'], shown: ShownGate): string | undefined {
	if (typeof holder === 'number') return shown.approvers[holder];
	return holder === 'link' && shown.approvers.length === 0 ? 'link' : undefined;
}
