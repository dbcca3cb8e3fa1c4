import type { IDataObject } from 'n8n-workflow';

/** What a receiver answered, as `helpers.httpRequest` gives it with `returnFullResponse`. */
export interface HttpAnswer {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

const MESSAGE_LIMIT = 500;

const asObject = (value: unknown): IDataObject | undefined =>
	typeof value === 'object' && value !== null ? (value as IDataObject) : undefined;

/** The receiver's own words about a refusal, where its body has them in a usual place. */
function wordsOf(body: unknown): string {
	const outer = asObject(body);
	const inner = asObject(outer?.error);
	const words = [inner?.message, outer?.message, outer?.detail, outer?.error, body].find(
		(text): text is string => typeof text === 'string' && text.trim() !== '',
	);
	return words ? `: ${words.trim().slice(0, MESSAGE_LIMIT)}` : '';
}

/** An answer other than 2xx, in the shape that the error classification reads. */
export class HttpRefusal extends Error {
	readonly response: { status: number; headers: Record<string, unknown>; data: unknown };

	constructor(answer: HttpAnswer) {
		super(`The receiver answered HTTP ${answer.statusCode}${wordsOf(answer.body)}`);
		this.name = 'HttpRefusal';
		const { statusCode: status, headers, body: data } = answer;
		this.response = { status, headers, data };
	}
}
