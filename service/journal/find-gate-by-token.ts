import { entitlement, type Claimant } from '../domain/authority';
import { parseDecisionToken, readDecisionToken } from '../domain/decision-token';
import type { ShownGate } from '../domain/shown-gate';
import { findGate } from '../store/gates';
import { frozenRequest } from './describe-gate';
import { gateAuthority } from './gate-authority';
import { NAMESPACE, type Journal } from './journal';
import { shownGate } from './show-gate';

export type GateByToken =
	| {
			readonly outcome: 'found';
			readonly shown: ShownGate;
			/** Who holds the link, as deciding asks for it. */
			readonly claimant: Claimant;
			/** In whose name the holder decides; undefined when they may only look. */
			readonly by: string | undefined;
	  }
	/** `unknown`: altered, signed with another secret, or its gate was erased. */
	| { readonly outcome: 'expired' | 'unknown' };

/** What the holder of a decision token may see and do. Changes nothing. */
export async function findGateByToken(journal: Journal, text: string): Promise<GateByToken> {
	const claimed = parseDecisionToken(text);
	if (!claimed) return { outcome: 'unknown' };
	return await journal.database.read(async (queries) => {
		const row = await findGate(queries, NAMESPACE, claimed.gateId);
		if (!row) return { outcome: 'unknown' };
		const token = readDecisionToken(journal.secret, text, row.shown_sha256, queries.now);
		if (token === 'expired') return { outcome: 'expired' };
		if (token === 'invalid') return { outcome: 'unknown' };
		const { via, holder } = token;
		const claimant: Claimant = { via, holder };
		const entitled = entitlement(gateAuthority(await frozenRequest(queries, row), row), claimant);
		const by = 'by' in entitled ? entitled.by : undefined;
		return { outcome: 'found', shown: await shownGate(queries, row), claimant, by };
	});
}
