import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { visibleLine } from '../domain/visible-text';
import type { Journal } from '../journal/journal';
import { LoginThrottle } from './login-throttle';
import { sendOn, sendPage } from './render';
import type { Sessions } from './session';
import { forgetSession, keepSession } from './session-cookie';
import { TEXTS } from './texts';

interface LoginRoute {
	Querystring: { gate?: string };
}
const FRAME = { root: '../' };
const MAX_NAME = 256;

/** Logging in with the admin key and a name, which every decision then carries; and out again. */
export function loginPages(
	journal: Journal,
	adminKey: string,
	sessions: Sessions,
): FastifyPluginAsync {
	return async (scope) => {
		const route = { schema: { hide: true } };
		const throttle = new LoginThrottle();

		scope.get<LoginRoute>('/inbox/login', route, async (_request, reply) => {
			return await sendLogin(reply, 200, '', undefined);
		});

		scope.post<LoginRoute>('/inbox/login', route, async (request, reply) => {
			const form = (request.body ?? {}) as Record<string, unknown>;
			const name = textOf(form['name']).slice(0, MAX_NAME);
			const now = journal.database.now();
			if (throttle.isClosed(now)) return await sendLogin(reply, 429, name, TEXTS.tooManyTries);
			if (!isKey(textOf(form['key']), adminKey)) {
				throttle.countFailure(now);
				return await sendLogin(reply, 401, name, TEXTS.wrongKey);
			}
			const by = visibleLine(name);
			if (by === '') return await sendLogin(reply, 400, '', TEXTS.nameMissing);
			keepSession(request, reply, sessions.issue(by, now));
			const gate = textOf(request.query.gate);
			return await sendOn(reply, /^[0-9a-f]{64}$/.test(gate) ? `gates/${gate}` : '../inbox');
		});

		scope.post('/inbox/logout', route, async (_request, reply) => {
			forgetSession(reply);
			return await sendOn(reply, 'login');
		});
	};
}

async function sendLogin(
	reply: FastifyReply,
	status: number,
	name: string,
	error: string | undefined,
): Promise<FastifyReply> {
	return await sendPage(reply, status, 'login', TEXTS.login, FRAME, { name, error });
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/** Compares digests: the time tells nothing about the key, nor its length. */
function isKey(given: string, key: string): boolean {
	const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest();
	return timingSafeEqual(digest(given), digest(key));
}
