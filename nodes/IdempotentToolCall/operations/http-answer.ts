import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { StoredItem } from '../../shared/stored-items';
import { fileNameOf } from './http-file-name';

/** What a receiver answered, as `helpers.httpRequest` gives it with `returnFullResponse`. */
export interface HttpAnswer {
	statusCode: number;
	statusMessage?: string;
	headers: Record<string, unknown>;
	/** Bytes, unless the form is `auto`. */
	body: unknown;
}

/** How an answer becomes output. */
export interface AnswerForm {
	format: 'auto' | 'text' | 'file';
	output: 'statusAndBody' | 'full' | 'body';
	/** Name of the field that holds the file. */
	fileField: string;
}

const MESSAGE_LIMIT = 500;

const asObject = (value: unknown): IDataObject | undefined =>
	typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as IDataObject)
		: undefined;

const contentTypeOf = ({ headers }: HttpAnswer) => String(headers['content-type'] ?? '');

/** Reads bytes in the character set that the answer names; by default, and where nobody knows it, UTF-8. */
function textOf(answer: HttpAnswer): string {
	const { body } = answer;
	if (!(body instanceof Uint8Array)) return String(body ?? '');
	const [, charset = 'utf-8'] = /charset\s*=\s*"?([^\s;"]+)/i.exec(contentTypeOf(answer)) ?? [];
	try {
		return new TextDecoder(charset).decode(body);
	} catch {
		return new TextDecoder().decode(body);
	}
}

/** The receiver's own words about a refusal, where its body has them in a usual place. */
function wordsOf(body: unknown): string {
	const outer = asObject(body);
	const inner = asObject(outer?.error);
	const words = [inner?.message, outer?.message, outer?.detail, outer?.error, body].find(
		(text): text is string => typeof text === 'string' && text.trim() !== '',
	);
	return words ? `: ${words.trim().slice(0, MESSAGE_LIMIT)}` : '';
}

/** A refusal names its code in JSON, whatever a success would be read as. */
function structured(answer: HttpAnswer): unknown {
	if (!(answer.body instanceof Uint8Array)) return answer.body;
	const text = textOf(answer);
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}

/** An answer that is no success, in the shape that the error classification reads. */
export class HttpRefusal extends Error {
	readonly response: { status: number; headers: Record<string, unknown>; data: unknown };

	constructor(answer: HttpAnswer) {
		const data = structured(answer);
		super(`The receiver answered HTTP ${answer.statusCode}${wordsOf(data)}`);
		this.name = 'HttpRefusal';
		const { statusCode: status, headers } = answer;
		this.response = { status, headers, data };
	}
}

/** The body as items of their own; n8n takes a truthy `error` at the top of an item for a failure. */
function bodyItems(body: unknown): StoredItem[] {
	if (Array.isArray(body) && body.length > 0) return body.flatMap(bodyItems);
	const object = asObject(body);
	if (object && !object.error) return [{ json: object }];
	return [{ json: object ? { body: object } : { data: (body ?? null) as IDataObject } }];
}

/** Makes output of an answer that is a success. */
export async function answerItems(
	{ helpers }: IExecuteFunctions,
	answer: HttpAnswer,
	{ format, output, fileField }: AnswerForm,
	url: string,
): Promise<StoredItem[]> {
	const { statusCode, statusMessage } = answer;
	const head: IDataObject = {
		...(output !== 'body' && { statusCode }),
		...(output === 'full' && {
			statusMessage: statusMessage ?? '',
			headers: { ...answer.headers } as IDataObject,
		}),
	};
	if (format === 'file') {
		const bytes = answer.body instanceof Uint8Array ? answer.body : new Uint8Array();
		const type = contentTypeOf(answer).split(';')[0]!.trim() || undefined;
		const name = fileNameOf(answer.headers['content-disposition'], url);
		const file = await helpers.prepareBinaryData(Buffer.from(bytes), name, type);
		return [{ json: head, binary: { [fileField]: file } }];
	}
	const body = format === 'text' ? textOf(answer) : (answer.body ?? null);
	if (output === 'body') return bodyItems(body);
	// Under `body`, where a member `error` does no harm.
	return [{ json: { ...head, body: body as IDataObject } }];
}
