import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { JournalProblem } from '../journal/problem';

/** `caller` may claim, complete, open and read; `admin` may also decide, resolve, cancel, erase, audit. */
export type Authority = 'caller' | 'admin';

export interface Keys {
	readonly apiKey: string;
	readonly adminKey: string;
}

declare module 'fastify' {
	interface FastifyRequest {
		/** What the presented key may do; set on every request of a guarded scope. */
		authority: Authority | undefined;
	}
	interface FastifyContextConfig {
		/** The least authority a route asks for. */
		authority?: Authority;
	}
}

/** Guards every route of the scope it is called on; routes ask for more by `config.authority`. */
export function requireKey(scope: FastifyInstance, keys: Keys): void {
	const authorityOf = keyring(keys);
	scope.decorateRequest('authority', undefined);
	scope.addHook('onRequest', async (request) => {
		const authority = authorityOf(bearerToken(request));
		if (!authority) throw new JournalProblem('unauthorized');
		if (request.routeOptions.config.authority === 'admin' && authority !== 'admin')
			throw new JournalProblem('forbidden');
		request.authority = authority;
	});
}

/** Tells the authority of a presented key, in time that does not depend on how much of it is right. */
export function keyring(keys: Keys): (presented: string | undefined) => Authority | undefined {
	const adminDigest = sha256(keys.adminKey);
	const apiDigest = sha256(keys.apiKey);
	return (presented) => {
		if (presented === undefined) return undefined;
		const digest = sha256(presented);
		if (timingSafeEqual(digest, adminDigest)) return 'admin';
		return timingSafeEqual(digest, apiDigest) ? 'caller' : undefined;
	};
}

function bearerToken(request: FastifyRequest): string | undefined {
	return /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

function sha256(text: string): Buffer {
	return createHash('sha256').update(text, 'utf8').digest();
}
