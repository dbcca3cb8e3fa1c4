import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { StoredPieces, StoredText } from '../domain/stored-json';
import type { Journal } from '../journal/journal';
import { readPieces } from '../journal/read-pieces';

type Part = string | StoredPieces;

/**
 * Sends an answer whose `input` and `result` may be StoredJson: their texts go out as they are, a
 * large one piece by piece while it is read.
 * @param answer one with members besides these, or one about many steps
 */
export async function sendWithPayloads(
	reply: FastifyReply,
	journal: Journal,
	answer: object,
): Promise<FastifyReply> {
	const parts: Part[] = [];
	if ('results' in answer) addMany(parts, answer.results as ItemAnswer[]);
	else addOne(parts, answer);
	void reply.type('application/json; charset=utf-8');
	return parts.every((part) => typeof part === 'string')
		? await reply.send(parts.join(''))
		: await reply.send(Readable.from(texts(journal, parts), { objectMode: false }));
}

interface ItemAnswer {
	readonly status: number;
	readonly body: object;
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

function addOne(parts: Part[], answer: { input?: unknown; result?: unknown }): void {
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
