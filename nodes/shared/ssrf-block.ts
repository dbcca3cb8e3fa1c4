const DEPTH = 5;

/**
 * True where n8n's protection against requests to private addresses refused: it does so before
 * anything is sent.
 */
export function isSsrfBlock(error: unknown): boolean {
	for (let cause = error, depth = 0; cause && depth < DEPTH; depth++) {
		const { name, cause: next } = cause as { name?: unknown; cause?: unknown };
		if (typeof name === 'string' && name.startsWith('SsrfBlocked')) return true;
		cause = next;
	}
	return false;
}
