/** What a person can do about the failures with which a start ends, by their stable codes. */
const ADVICE: Array<readonly [codes: RegExp, advice: string]> = [
	[/^(SQLITE_FULL|ENOSPC|EDQUOT)/, 'the disk is full: free space there.'],
	[
		/^(SQLITE_CORRUPT)/,
		'it is damaged: keep a copy of it, and restore a backup (durable-journal restore).',
	],
	[
		/^(SQLITE_READONLY|SQLITE_CANTOPEN|EROFS|EACCES|EPERM|ENOENT|ENOTDIR)/,
		'the journal must be able to write the file and its folder: correct their owner and permissions, or name another place.',
	],
	[/^SQLITE_NOTADB/, "it is no database: name a file that is a journal's or does not exist yet."],
	[
		/^SQLITE_BUSY/,
		'another process holds it: a file is for one journal alone, stop the other one.',
	],
	[/^SQLITE_IOERR/, 'the disk does not do its work: look into the log of the system.'],
];

/** The line that a person reads when the service cannot start: what is wrong, and what to do. */
export function describeStartError(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const { code } = error as NodeJS.ErrnoException;
	if (code === 'EADDRINUSE')
		return `the port is in use: ${error.message}. Set JOURNAL_PORT to another one.`;
	const advice = ADVICE.find(([codes]) => codes.test(code ?? ''))?.[1];
	return advice ? `JOURNAL_DATABASE cannot be used (${error.message}): ${advice}` : error.message;
}
