import { Readable } from 'node:stream';
import type {
	FastifyRequest,
	RequestPayload,
	preHandlerHookHandler,
	preParsingHookHandler,
} from 'fastify';
import { LargeJson } from '../../domain/large-json';
import { JournalProblem } from '../../journal/problem';
import { tooDeep } from '../body-depth';
import type { BodyReader } from './body-thread';
import type { CondensedBody } from './condense-body';

/** Longer bodies cost the event loop more than handing them to a thread, in bytes. */
export const LARGE_BODY = 256 * 1024;

/** For the options of a route whose bodies hold payloads. */
export interface LargeBodyHooks {
	readonly preParsing: preParsingHookHandler;
	readonly preHandler: preHandlerHookHandler;
}

/**
 * Lets a route receive large bodies without holding up small requests: `reader` takes the payloads
 * out, the rest is parsed and validated like a small body, and the handler finds each payload in its
 * place as a LargeJson. What is refused is refused by the same code as in a small body.
 * @param limit bytes of a body that is too large: left alone, so that it is refused as ever
 */
export function receiveLargeBodies(reader: BodyReader, limit: number): LargeBodyHooks {
	const condensed = new WeakMap<FastifyRequest, CondensedBody>();

	async function condense(request: FastifyRequest, payload: RequestPayload, length: number) {
		const bytes = await receive(payload, length, limit);
		if (bytes.length <= LARGE_BODY || bytes.length > limit) return Readable.from([bytes]);
		const body = await reader.condense(bytes);
		if (body.tooDeep) throw tooDeep();
		condensed.set(request, body);
		return Object.assign(Readable.from([Buffer.from(body.text)]), {
			// What Fastify compares with the content-length.
			receivedEncodedLength: length,
		});
	}

	return {
		preParsing(request, _reply, payload, done) {
			const { headers } = request;
			const isChunked = headers['transfer-encoding'] !== undefined;
			const length = isChunked ? NaN : Number(headers['content-length'] ?? 0);
			if (length <= LARGE_BODY || length > limit || !isJson(headers)) return done(null, payload);
			condense(request, payload, length).then(
				(rest) => done(null, rest),
				(error: Error) => done(error),
			);
		},
		preHandler(request, _reply, done) {
			const body = condensed.get(request);
			if (body) putPayloads(request.body, body);
			done();
		},
	};
}

function isJson(headers: FastifyRequest['headers']): boolean {
	return /^application\/json\b/i.test(headers['content-type'] ?? '');
}

function putPayloads(body: unknown, { payloads, bytes }: CondensedBody): void {
	const all = Buffer.from(bytes.buffer);
	for (const { path, start, end, facts } of payloads) {
		const parent = path.slice(0, -1).reduce((at, name) => (at as Members)[name], body);
		(parent as Members)[path.at(-1)!] = new LargeJson(all.subarray(start, end), facts);
	}
}

type Members = Record<string | number, unknown>;

/**
 * Reads a body into memory of its own.
 * @param length as announced; NaN when it was not
 * @returns as much as shows that it is too large, where it is
 */
async function receive(payload: RequestPayload, length: number, limit: number): Promise<Buffer> {
	// Known beforehand, it is filled while it arrives instead of being put together at the end.
	const whole = Number.isNaN(length) ? undefined : Buffer.allocUnsafeSlow(length);
	const chunks: Buffer[] = [];
	let size = 0;
	try {
		// Left open when too large, or the client would meet a broken pipe in place of the answer.
		const arriving = (payload as Readable).iterator({ destroyOnReturn: false });
		for await (const chunk of arriving as AsyncIterable<Buffer>) {
			if (whole) chunk.copy(whole, size);
			else chunks.push(chunk);
			size += chunk.length;
			if (size > limit) break;
		}
	} catch {
		throw new JournalProblem('invalid_request', {}, 'The body ended before it was complete');
	}
	return whole ?? Buffer.concat(chunks, size);
}
