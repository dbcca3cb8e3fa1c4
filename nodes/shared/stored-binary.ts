import type { IBinaryData, IBinaryKeyData, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { BINARY_IN_JSON_PROPERTY, isBinaryValue } from 'n8n-workflow';
import { attempt } from './attempt';
import { omittedResult } from './omitted-result';
import { sha256Hex } from './sha256';
import { sha256OfStream } from './sha256-stream';
import type { StoredItem } from './stored-items';

/**
 * Files of a result, kept through replays. n8n's items only refer to a file in n8n's storage, which
 * goes with the execution that made it: what the journal kept would lead nowhere after a while. So
 * small files are in the journal themselves. Larger ones stay in n8n, and what is found there on a
 * replay must have the same SHA-256; where it is gone, the step stops and says so.
 */

/** All files of one step's result that the journal takes in itself, together, in bytes. */
export const KEPT_IN_JOURNAL_BYTES = 4 * 1024 * 1024;

/** A file as the journal has it. */
interface StoredFile {
	mimeType: string;
	fileName?: string;
	fileExtension?: string;
	fileType?: IBinaryData['fileType'];
	directory?: string;
	bytes?: number;
	/** Lowercase hex. */
	sha256?: string;
	/** The file itself, base64. */
	content?: string;
	/** Where it is in n8n, when it is too large to be here. */
	id?: string;
}

type Helpers = Pick<
	IExecuteFunctions['helpers'],
	'getBinaryDataBuffer' | 'getBinaryStream' | 'setBinaryDataBuffer'
>;

const aboutFile = ({ mimeType, fileName, fileExtension, fileType, directory }: IBinaryData) => ({
	mimeType,
	...(fileName !== undefined && { fileName }),
	...(fileExtension !== undefined && { fileExtension }),
	...(fileType !== undefined && { fileType }),
	...(directory !== undefined && { directory }),
});

/** SHA-256 and size of a file, without having it in memory where n8n gives a stream. */
export async function digestOf(
	helpers: Helpers,
	file: IBinaryData,
): Promise<{ sha256: string; bytes: number }> {
	if (file.id) return await sha256OfStream(await helpers.getBinaryStream(file.id));
	const content = await helpers.getBinaryDataBuffer(0, file);
	return { sha256: await sha256Hex(new Uint8Array(content)), bytes: content.length };
}

/** With the workflow setting that puts files into the JSON, they are found there. */
function filesOf({ json, binary }: StoredItem): { json: IDataObject; files: IBinaryKeyData } {
	const { [BINARY_IN_JSON_PROPERTY]: inJson, ...rest } = json;
	const embedded = Object.entries((inJson ?? {}) as IDataObject).filter(([, file]) =>
		isBinaryValue(file),
	) as Array<[string, IBinaryData]>;
	if (embedded.length === 0) return { json, files: binary ?? {} };
	return { json: rest, files: { ...Object.fromEntries(embedded), ...binary } };
}

/**
 * Makes the result of a step ready for the journal.
 * @param items what goes out now; they stay as they are
 * @returns the items with their files in them or well referred to; where that cannot be, the mark of
 *   a result that was not kept. Never rejects: the effect has happened.
 */
export async function keepFiles(helpers: Helpers, items: StoredItem[]): Promise<unknown> {
	let left = KEPT_IN_JOURNAL_BYTES;

	async function keep(file: IBinaryData): Promise<StoredFile> {
		const { sha256, bytes } = await digestOf(helpers, file);
		const about = { ...aboutFile(file), bytes, sha256 };
		if (bytes <= left) {
			left -= bytes;
			const content = (await helpers.getBinaryDataBuffer(0, file)).toString('base64');
			return { ...about, content };
		}
		if (file.id) return { ...about, id: file.id };
		throw new RangeError('too large for the journal, and n8n keeps it nowhere');
	}

	async function keepAll(): Promise<unknown[]> {
		const kept = [];
		for (const item of items) {
			const { json, files } = filesOf(item);
			const binary: Record<string, StoredFile> = {};
			// One after the other: they share the room.
			for (const [name, file] of Object.entries(files)) binary[name] = await keep(file);
			kept.push(Object.keys(binary).length > 0 ? { json, binary } : { json });
		}
		return kept;
	}

	const kept = await attempt(keepAll());
	return kept.ok ? kept.value : omittedResult();
}

/** The file is copied: the one that n8n has goes with the execution that made it. */
async function copyFound(helpers: Helpers, about: IBinaryData, { id, sha256 }: StoredFile) {
	const found = await sha256OfStream(await helpers.getBinaryStream(String(id)));
	if (found.sha256 !== sha256) return undefined;
	// n8n takes a stream as well, whatever its type says.
	const stream = (await helpers.getBinaryStream(String(id))) as unknown as Buffer;
	return await helpers.setBinaryDataBuffer(about, stream);
}

async function remake(helpers: Helpers, stored: StoredFile): Promise<IBinaryData | undefined> {
	const about: IBinaryData = { ...aboutFile(stored as IBinaryData), data: '' };
	about.mimeType ??= 'application/octet-stream';
	if (stored.content !== undefined) {
		return await helpers.setBinaryDataBuffer(about, Buffer.from(stored.content, 'base64'));
	}
	const copied = await attempt(copyFound(helpers, about, stored));
	return copied.ok ? copied.value : undefined;
}

/**
 * Makes output items of what the journal kept, their files in n8n's storage again, for this execution.
 * @param items as `toItems` reads them
 * @returns undefined where a file that was left in n8n is gone
 */
export async function remakeFiles(
	helpers: Helpers,
	items: StoredItem[],
): Promise<StoredItem[] | undefined> {
	const remade: StoredItem[] = [];
	for (const { json, binary } of items) {
		const files: IBinaryKeyData = {};
		for (const [name, stored] of Object.entries(binary ?? {})) {
			const file = await remake(helpers, stored as unknown as StoredFile);
			if (!file) return undefined;
			files[name] = file;
		}
		remade.push(binary ? { json, binary: files } : { json });
	}
	return remade;
}
