import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { attempt } from '../../shared/attempt';
import { UNREADABLE_BODY } from '../../shared/classify-error';
import { digestOf } from '../../shared/stored-binary';
import { readJson } from '../json-parameter';
import { byName, readPairs } from '../pairs';

export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** What is sent for one item. */
export interface HttpBody {
	/** What of it identifies the call always, whatever fields a person chooses. */
	fixed: Record<string, unknown>;
	/** What of it identifies the call beside that: the content, a file by its SHA-256. */
	identity: unknown;
	/** Not for multipart, where it names a boundary, which is another one at every sending. */
	contentType?: string;
	/** Content-Length, where what is sent does not tell it. */
	bytes?: number;
	/** Makes what is sent, anew for each sending: a stream is used up by one. */
	open(): Promise<unknown>;
}

/** A file of the item, and what stands for it in the key. */
async function readFile(context: IExecuteFunctions, itemIndex: number, field: string) {
	const { helpers } = context;
	const found = await attempt(
		(async () => {
			const file = helpers.assertBinaryData(itemIndex, field);
			return { file, digest: await digestOf(helpers, file) };
		})(),
	);
	if (!found.ok) {
		throw new NodeOperationError(
			context.getNode(),
			`This item has no file in the field "${field}" that can be read: correct the name, or let a node before give the file; nothing was sent.`,
			{ itemIndex },
		);
	}
	const { file, digest } = found.value;
	return { file, identity: { ...digest, mimeType: file.mimeType } };
}

/** A file that cannot be read any more has not been sent: no doubt about that. */
async function reading<T>(file: IBinaryData, read: Promise<T>): Promise<T> {
	const content = await attempt(read);
	if (content.ok) return content.value;
	const message = `The file "${file.fileName ?? ''}" cannot be read any more: nothing was sent`;
	throw Object.assign(new Error(message), { code: UNREADABLE_BODY, cause: content.error });
}

async function fileBody(context: IExecuteFunctions, itemIndex: number): Promise<HttpBody> {
	const { helpers } = context;
	const field = String(context.getNodeParameter('bodyFileField', itemIndex, 'data'));
	const { file, identity } = await readFile(context, itemIndex, field);
	return {
		fixed: { bodyKind: 'file' },
		identity,
		contentType: file.mimeType,
		bytes: identity.bytes,
		open: async () =>
			await reading<unknown>(
				file,
				file.id ? helpers.getBinaryStream(file.id) : helpers.getBinaryDataBuffer(0, file),
			),
	};
}

type FilePart = Awaited<ReturnType<typeof readFile>>;

/** As the panel gives it. */
interface Part {
	kind?: 'text' | 'file';
	name?: unknown;
	value?: unknown;
	fileField?: unknown;
}

async function multipartBody(context: IExecuteFunctions, itemIndex: number): Promise<HttpBody> {
	const { helpers } = context;
	const { parts = [] } = context.getNodeParameter('multipart', itemIndex, {}) as { parts?: Part[] };
	const read: Array<{ partName: string } & (FilePart | { identity: string })> = [];
	for (const { kind, name, value, fileField } of parts) {
		const partName = String(name ?? '').trim();
		if (partName === '') continue;
		if (kind === 'file') {
			const field = String(fileField ?? 'data');
			read.push({ partName, ...(await readFile(context, itemIndex, field)) });
		} else read.push({ partName, identity: String(value ?? '') });
	}
	return {
		fixed: { bodyKind: 'multipart' },
		identity: byName<unknown>(read.map((part) => [part.partName, part.identity])),
		async open() {
			const form = new FormData();
			for (const part of read) {
				if (!('file' in part)) form.append(part.partName, part.identity);
				else {
					const { file, partName } = part;
					const content = await reading(file, helpers.getBinaryDataBuffer(0, file));
					const blob = new Blob([new Uint8Array(content)], { type: file.mimeType });
					form.append(partName, blob, file.fileName ?? partName);
				}
			}
			return form;
		},
	};
}

function formBody(context: IExecuteFunctions, itemIndex: number): HttpBody {
	const fields = readPairs(context, 'formFields', itemIndex);
	const sent = fields.map(([name, value]): [string, string] => [name, value]);
	return {
		fixed: { bodyKind: 'form' },
		identity: byName(fields),
		contentType: FORM_TYPE,
		open: async () => new URLSearchParams(sent).toString(),
	};
}

function rawBody(context: IExecuteFunctions, itemIndex: number): HttpBody {
	const text = String(context.getNodeParameter('rawBody', itemIndex, ''));
	const given = String(context.getNodeParameter('rawContentType', itemIndex, '')).trim();
	const contentType = given || 'text/plain';
	return {
		fixed: { bodyKind: 'raw', contentType },
		identity: text,
		contentType,
		// Bytes, since n8n's client puts a text of type JSON into quotes when it is not JSON.
		open: async () => Buffer.from(text),
	};
}

function jsonBody(context: IExecuteFunctions, itemIndex: number): HttpBody {
	const identity = readJson(context, 'body', 'JSON Body', itemIndex);
	// A string is sent as it is: JSON scalars and `null` need their JSON form, too.
	const contentType = 'application/json';
	return { fixed: {}, identity, contentType, open: async () => JSON.stringify(identity) };
}

/**
 * Reads the body that the panel describes.
 * @throws NodeOperationError where it names a file that the item does not have
 */
export async function readBody(context: IExecuteFunctions, itemIndex: number): Promise<HttpBody> {
	const kind = context.getNodeParameter('bodyKind', itemIndex, 'json') as string;
	switch (kind) {
		case 'json':
			return jsonBody(context, itemIndex);
		case 'form':
			return formBody(context, itemIndex);
		case 'multipart':
			return await multipartBody(context, itemIndex);
		case 'raw':
			return rawBody(context, itemIndex);
		case 'file':
			return await fileBody(context, itemIndex);
		default:
			throw new NodeOperationError(
				context.getNode(),
				`The body kind "${kind}" does not exist: choose one on the panel.`,
				{ itemIndex },
			);
	}
}
