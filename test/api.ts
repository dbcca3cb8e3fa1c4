import { pino } from 'pino';
import type { FastifyInstance } from 'fastify';
import type { BodyReader } from '../service/http/large-bodies/body-thread';
import { condenseBody } from '../service/http/large-bodies/condense-body';
import { createServer } from '../service/http/server';
import type { Journal } from '../service/journal/journal';
import { fakeJournal, type FakeJournal } from './fake-journal';

export const API_KEY = 'api-key-of-the-tests';
export const ADMIN_KEY = 'admin-key-of-the-tests';

export interface Answer {
	readonly status: number;
	// The tests state what they expect of it.
	readonly body: any;
	readonly headers: Record<string, unknown>;
}

export interface Api extends FakeJournal {
	readonly server: FastifyInstance;
	/** A call with the API key; `key: null` sends none. */
	call(method: string, path: string, body?: unknown, key?: string | null): Promise<Answer>;
	post(path: string, body: unknown): Promise<Answer>;
	admin(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** The thread runs compiled code only; here its work is done in place. */
export const readerWithoutThread: BodyReader = {
	condense: async (bytes) => condenseBody(bytes),
	close: async () => {},
};

/** The whole API over an empty store and a fake clock, without a socket. */
export async function openApi(
	overrides: Partial<Journal> = {},
	bodyReader: BodyReader = readerWithoutThread,
): Promise<Api> {
	const fake = fakeJournal(overrides);
	const server = await createServer({
		journal: fake.journal,
		keys: { apiKey: API_KEY, adminKey: ADMIN_KEY },
		version: '0.0.0-test',
		logger: pino({ level: 'silent' }),
		bodyReader,
	});
	const call: Api['call'] = async (method, path, body, key = API_KEY) => {
		const answer = await server.inject({
			method: method as 'GET',
			url: path,
			headers: {
				...(key !== null && { authorization: `Bearer ${key}` }),
				...(body !== undefined && { 'content-type': 'application/json' }),
			},
			...(body !== undefined && {
				payload: typeof body === 'string' ? body : JSON.stringify(body),
			}),
		});
		const isJson = String(answer.headers['content-type']).includes('json');
		const isLines = String(answer.headers['content-type']).includes('ndjson');
		return {
			status: answer.statusCode,
			body: isJson && !isLines ? answer.json() : answer.body,
			headers: answer.headers,
		};
	};
	return {
		...fake,
		server,
		call,
		post: async (path, body) => await call('POST', path, body),
		admin: async (method, path, body) => await call(method, path, body, ADMIN_KEY),
		close: async () => {
			await server.close();
			await fake.close();
		},
	};
}
