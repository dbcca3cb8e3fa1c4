import type { JournalFacts } from '../store/sqlite/copy-journal';

/** What a journal holds and of when it is, in words. */
export function describeFacts({ runs, steps, lastActivityAt }: JournalFacts): string {
	const of =
		lastActivityAt === undefined ? '' : `, as of ${new Date(lastActivityAt).toISOString()}`;
	return `${runs} runs with ${steps} steps${of}`;
}
