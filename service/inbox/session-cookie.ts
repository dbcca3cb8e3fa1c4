import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_MS } from './session';

const NAME = 'journal_session';
const SHARED = 'Path=/; HttpOnly; SameSite=Strict';

/** The session that a browser sent, unchecked. Its characters need no decoding. */
export function sentSession({ headers }: FastifyRequest): string | undefined {
	return /(?:^|;\s*)journal_session=([\w.-]+)/.exec(headers.cookie ?? '')?.[1];
}

/** Has the browser keep a session, for this site's own requests only and out of reach of scripts. */
export function keepSession(request: FastifyRequest, reply: FastifyReply, session: string): void {
	// Over plain HTTP (the local machine) a browser would drop a secure cookie.
	const secure = request.headers['x-forwarded-proto'] === 'https' ? '; Secure' : '';
	const value = `${NAME}=${session}; Max-Age=${SESSION_MS / 1000}; ${SHARED}${secure}`;
	reply.header('Set-Cookie', value);
}

/** Has the browser forget it. */
export function forgetSession(reply: FastifyReply): void {
	reply.header('Set-Cookie', `${NAME}=; Max-Age=0; ${SHARED}`);
}
