import type { Gate } from '../contract/gates';
import { findGate } from '../store/gates';
import { describeGate } from './describe-gate';
import { NAMESPACE, type Journal } from './journal';
import { JournalProblem, orThrow } from './problem';

/** Everything the journal tells of one gate. @throws JournalProblem not_found */
export async function readGate(journal: Journal, gateId: string): Promise<Gate> {
	const answer = await journal.database.read(async (queries) => {
		const row = await findGate(queries, NAMESPACE, gateId);
		return row ? await describeGate(queries, row) : noSuchGate(gateId);
	});
	return orThrow(answer);
}

export function noSuchGate(gateId: string): JournalProblem {
	return new JournalProblem('not_found', {}, `There is no gate ${gateId}`);
}
