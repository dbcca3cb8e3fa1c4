import type { StoredPieces } from '../domain/stored-json';
import { findPiece } from '../store/payload-pieces';
import type { Journal } from './journal';

/**
 * The text of a large payload, piece by piece, with a turn of the event loop after each.
 * @throws when the payload is erased meanwhile
 */
export async function* readPieces(journal: Journal, payload: StoredPieces): AsyncGenerator<string> {
	for (let piece = 0; piece < payload.count; piece++) {
		const json = await journal.database.read(
			async (queries) => await findPiece(queries, payload.ref, piece),
		);
		if (json === undefined) throw new Error('The payload was erased while it was read');
		yield json;
		await new Promise((resolve) => setImmediate(resolve));
	}
}
