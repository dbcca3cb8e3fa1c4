import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { StoredPieces, StoredText } from '../domain/stored-json';
import type { Journal } from '../journal/journal';
import { readPieces } from '../journal/read-pieces';

/** An answer whose payloads may be StoredJson; it has other members too. */
interface PayloadAnswer {
	readonly input?: unknown;
	readonly result?: unknown;
}
type Part = string | StoredPieces;

/**
 * What a handler returns for an answer whose `input` and `result`, or those of its `results`, may be
 * StoredJson. One with a large payload becomes a stream that reads it piece by piece.
 */
export function withPayloads<Answer extends object>(
	reply: FastifyReply,
	journal: Journal,
	answer: Answer,
): Answer {
	const answers = 'results' in answer ? bodiesOf(answer) : [answer as PayloadAnswer];
	const isLarge = ({ input, result }: PayloadAnswer) =>
		result instanceof StoredPieces || input instanceof StoredPieces;
	if (!answers.some(isLarge)) return answer;
	void reply.type('application/json; charset=utf-8');
	// Fastify sends a stream as it is; it says what the answer says.
	return Readable.from(texts(journal, partsOf(answer)), {
		objectMode: false,
	}) as unknown as Answer;
}

/** The JSON of an answer: the text of a stored payload goes in as it is, which saves parsing it. */
export function answerJson(answer: unknown): string {
	if (typeof answer !== 'object' || answer === null) return JSON.stringify(answer);
	const { input, result } = answer as PayloadAnswer;
	const isPlain = !(result instanceof StoredText || input instanceof StoredText);
	return isPlain && !('results' in answer) ? JSON.stringify(answer) : partsOf(answer).join('');
}

function partsOf(answer: object): Part[] {
	const parts: Part[] = [];
	if ('results' in answer) addMany(parts, answer.results as ItemAnswer[]);
	else addOne(parts, answer);
	return parts;
}

interface ItemAnswer {
	readonly status: number;
	readonly body: PayloadAnswer;
}

function bodiesOf(answer: { readonly results?: unknown }): PayloadAnswer[] {
	return (answer.results as ItemAnswer[]).map(({ body }) => body);
}

function addMany(parts: Part[], items: readonly ItemAnswer[]): void {
	let before = '{"results":[';
	for (const { status, body } of items) {
		parts.push(`${before}{"status":${status},"body":`);
		addOne(parts, body);
		before = '},';
	}
	parts.push('}]}');
}

function addOne(parts: Part[], answer: PayloadAnswer): void {
	const { input, result, ...rest } = answer;
	parts.push(JSON.stringify(rest).slice(0, -1));
	addMember(parts, 'input', input);
	addMember(parts, 'result', result);
	parts.push('}');
}

function addMember(parts: Part[], name: string, value: unknown): void {
	if (value === undefined) return;
	parts.push(`,"${name}":`);
	if (value instanceof StoredText) parts.push(value.text);
	else if (value instanceof StoredPieces) parts.push(value);
	else parts.push(JSON.stringify(value));
}

async function* texts(journal: Journal, parts: readonly Part[]): AsyncGenerator<string> {
	for (const part of parts)
		if (typeof part === 'string') yield part;
		else yield* readPieces(journal, part);
}
