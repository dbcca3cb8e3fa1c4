import formbody from '@fastify/formbody';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { ShownGate } from '../domain/shown-gate';
import { decideGate } from '../journal/decide-gate';
import type { Journal } from '../journal/journal';
import { listGates } from '../journal/list-gates';
import { JournalProblem } from '../journal/problem';
import { showGate } from '../journal/show-gate';
import { readDecisionForm } from './decision-form';
import { gateItem, gateView } from './gate-view';
import { loginPages } from './login-pages';
import { answerWithPages } from './page-errors';
import { sendNotice, sendOn, sendPage } from './render';
import { isSameOrigin } from './same-origin';
import { Sessions } from './session';
import { sentSession } from './session-cookie';
import { TEXTS } from './texts';

interface GateRoute {
	Params: { gateId: string };
}
interface ListRoute {
	Querystring: { cursor?: string };
}
const FORM_LIMIT = 64 * 1024;
const ROOT = './';
const GATE_ROOT = '../../';

declare module 'fastify' {
	interface FastifyRequest {
		/** The name of the person who is logged in to the inbox. */
		person: string;
	}
}

/**
 * `/inbox`: every gate, for whoever has the admin key, also where no channel is configured. Each
 * post must come from these pages, and carries a cookie that other sites cannot make a browser send.
 */
export function inboxPages(journal: Journal, adminKey: string): FastifyPluginAsync {
	return async (scope) => {
		scope.removeAllContentTypeParsers();
		await scope.register(formbody, { bodyLimit: FORM_LIMIT });
		answerWithPages(scope);
		scope.decorateRequest('person', '');
		scope.addHook('preHandler', async (request, reply) => {
			if (request.method !== 'POST' || isSameOrigin(request, journal.publicUrl)) return;
			await sendNotice(reply, 403, 'crossSite', { root: rootOf(request) });
		});
		const sessions = new Sessions(journal.secret, adminKey);
		await scope.register(loginPages(journal, adminKey, sessions));
		await scope.register(async (guarded) => {
			guarded.addHook('preHandler', async (request, reply) => {
				const person = sessions.read(sentSession(request), journal.database.now());
				if (person === undefined) return await sendOn(reply, loginAddress(request));
				request.person = person;
			});
			await guarded.register(gatePages(journal));
		});
	};
}

function gatePages(journal: Journal): FastifyPluginAsync {
	return async (scope) => {
		const route = { schema: { hide: true } };
		const isGateId = (gateId: string) => /^[0-9a-f]{64}$/.test(gateId);

		scope.get<ListRoute>('/inbox', route, async (request, reply) => {
			return await sendList(request, reply, 'open', ROOT);
		});

		scope.get<ListRoute>('/inbox/decided', route, async (request, reply) => {
			return await sendList(request, reply, 'decided', '../');
		});

		scope.get<GateRoute>('/inbox/gates/:gateId', route, async (request, reply) => {
			const { gateId } = request.params;
			if (!isGateId(gateId)) return await sendNotice(reply, 404, 'missing', frameOf(request));
			return await sendGate(request, reply, 200, await showGate(journal, gateId), false);
		});

		scope.post<GateRoute>('/inbox/gates/:gateId', route, async (request, reply) => {
			const { gateId } = request.params;
			if (!isGateId(gateId)) return await sendNotice(reply, 404, 'missing', frameOf(request));
			const gate = await showGate(journal, gateId);
			const form = readDecisionForm(request.body, gate);
			if (!form) return await sendNotice(reply, 400, 'badForm', frameOf(request));
			try {
				await decideGate(journal, {
					gateId,
					...form,
					claimant: { via: 'inbox', login: request.person },
				});
			} catch (error) {
				if (!(error instanceof JournalProblem) || error.code !== 'gate_closed') throw error;
				return await sendGate(request, reply, 409, await showGate(journal, gateId), true);
			}
			return await sendOn(reply, gateId);
		});
	};

	async function sendGate(
		request: FastifyRequest<GateRoute>,
		reply: FastifyReply,
		status: number,
		shown: ShownGate,
		tooLate: boolean,
	): Promise<FastifyReply> {
		const gate = gateView(shown, request.person, journal.database.now());
		const data = { gate, tooLate, action: shown.gateId };
		return await sendPage(reply, status, 'gate', gate.title, frameOf(request), data);
	}

	async function sendList(
		request: FastifyRequest<ListRoute>,
		reply: FastifyReply,
		tab: 'open' | 'decided',
		root: string,
	): Promise<FastifyReply> {
		const { cursor } = request.query;
		const page = await listGates(journal, {
			...(tab === 'open' && { state: 'open' }),
			...(typeof cursor === 'string' && { cursor }),
		});
		const now = journal.database.now();
		const shown = page.items.filter(({ state }) => tab === 'open' || state !== 'open');
		const items = shown.map((gate) => gateItem(gate, now));
		const data = { tab, items, older: page.nextCursor, paged: cursor !== undefined };
		const frame = { root, session: request.person };
		return await sendPage(reply, 200, 'list', TEXTS.inbox, frame, data);
	}
}

function frameOf({ person }: FastifyRequest): { root: string; session: string } {
	return { root: GATE_ROOT, session: person };
}

/** The relative way from the address of a request to the root of the service. */
function rootOf({ url }: FastifyRequest): string {
	return '../'.repeat(url.split('?')[0]!.split('/').length - 2) || './';
}

function loginAddress(request: FastifyRequest): string {
	const gateId = (request.params as { gateId?: string }).gateId ?? '';
	const back = /^[0-9a-f]{64}$/.test(gateId) ? `?gate=${gateId}` : '';
	return `${rootOf(request)}inbox/login${back}`;
}
