import { queueCompletes } from './complete-queue';
import { createJournalClient, type JournalClient, type JournalContext } from './journal-client';

/**
 * Opens the client at the first item that needs it, and gives the same one to all others: reading the
 * credential costs as much as a call of the journal, and what they record can share requests. What
 * cannot be opened is tried again by the next.
 */
export function journalForAllItems(
	context: JournalContext,
): (leaseMs: number) => Promise<JournalClient> {
	let opening: Promise<JournalClient> | undefined;
	return async (leaseMs) => {
		opening ??= createJournalClient(context, { leaseMs }).then(queueCompletes);
		const mine = opening;
		mine.catch(() => {
			if (opening === mine) opening = undefined;
		});
		return await mine;
	};
}
