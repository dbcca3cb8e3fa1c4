/** Why a command did not do what it was asked, in a sentence for the person who called it. */
export class CommandError extends Error {
	override readonly name = 'CommandError';
}
