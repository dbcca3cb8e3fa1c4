import { readDecisionToken } from '../domain/decision-token';
import { findGate } from '../store/gates';
import { NAMESPACE, type Journal } from './journal';
import { showGateByRef, type ShownGate } from './show-gate';

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
		const row = read !== 'invalid' && (await findGate(queries, NAMESPACE, read.gateId));
		const shown = row && (await showGateByRef(queries, row.id));
		if (read === 'invalid' || !shown) return { outcome: 'unknown' };
		return { outcome: 'found', shown, by: nameOf(read.holder, shown) };
	});
}

function nameOf(holder: number | 'link' | 'show', shown: ShownGate): string | undefined {
	if (typeof holder === 'number') return shown.approvers[holder]?.name;
	return holder === 'link' && shown.approvers.length === 0 ? 'link' : undefined;
}
