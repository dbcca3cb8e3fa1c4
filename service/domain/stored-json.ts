/** A payload as the store holds it: sent as it is, never parsed only to be written again. */
export type StoredJson = StoredText | StoredPieces;

/** A payload that was read whole. */
export class StoredText {
	/** @param text JSON */
	constructor(readonly text: string) {}

	/** Whoever does not know of it gets the value. */
	toJSON(): unknown {
		return JSON.parse(this.text);
	}
}

/** A payload that is read piece by piece, with turns of the event loop between. */
export class StoredPieces {
	constructor(
		readonly ref: number,
		/** How many there are. */
		readonly count: number,
	) {}

	toJSON(): never {
		throw new Error('A large payload is read piece by piece.');
	}
}
