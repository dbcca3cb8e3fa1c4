import type { Unhashable } from './canonical-json';

/** What was found out about a payload while it was parsed elsewhere, so that it need not be again. */
export interface LargeJsonFacts {
	/** SHA-256 of its text: the same text is the same value, another one may be. */
	readonly textSha256: string;
	/** What the claim is identified by whose input it is. */
	readonly identity?: { readonly key: string; readonly fingerprint: string };
	/** Why that claim has no key. */
	readonly unhashable?: readonly Unhashable[];
}

/**
 * An input or result that came in a large body: its JSON text, never parsed on the way from the
 * socket to the store, since parsing and writing it at once would hold up every small request.
 */
export class LargeJson {
	/** Where the pieces of the text were stored beforehand, and how many; undefined while none is. */
	deposit: { readonly ref: number; readonly pieces: number } | undefined;

	/** @param bytes the text as JSON.stringify writes it, in UTF-8 */
	constructor(
		readonly bytes: Buffer,
		readonly facts: LargeJsonFacts,
	) {}

	/** Parses it: for refusals that must name what differs. */
	value(): unknown {
		return JSON.parse(this.bytes.toString('utf8'));
	}

	toJSON(): unknown {
		return this.value();
	}
}

/** The value of a payload, whichever way it came. */
export function plainValue(payload: unknown): unknown {
	return payload instanceof LargeJson ? payload.value() : payload;
}

/** Cuts UTF-8 into pieces of at most `size` bytes, none of which ends inside a character. */
export function* utf8Pieces(bytes: Buffer, size: number): Generator<string> {
	for (let start = 0; start < bytes.length;) {
		let end = Math.min(start + size, bytes.length);
		while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end--;
		yield bytes.toString('utf8', start, end);
		start = end;
	}
}
