import formbody from '@fastify/formbody';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { decideGate } from '../journal/decide-gate';
import { findGateByToken, type GateByToken } from '../journal/find-gate-by-token';
import type { Journal } from '../journal/journal';
import { JournalProblem } from '../journal/problem';
import { readDecisionForm } from './decision-form';
import { gateView } from './gate-view';
import { answerWithPages } from './page-errors';
import { sendNotice, sendOn, sendPage } from './render';

type Found = Extract<GateByToken, { outcome: 'found' }>;
interface Route {
	Params: { token: string };
}
const FRAME = { root: '../' };
const FORM_LIMIT = 64 * 1024;

/**
 * `/gates/:token`, the page behind the link in a message. Reading shows and changes nothing,
 * whoever reads; only the form's post decides. The token in the address is the secret that a
 * forger of forms would need, so no Origin is asked for.
 */
export function decisionPages(journal: Journal): FastifyPluginAsync {
	return async (scope) => {
		scope.removeAllContentTypeParsers();
		await scope.register(formbody, { bodyLimit: FORM_LIMIT });
		answerWithPages(scope);
		const route = { schema: { hide: true } };

		scope.get<Route>('/gates/:token', route, async (request, reply) => {
			const found = await findGateByToken(journal, request.params.token);
			if (found.outcome !== 'found') return await sendUseless(reply, found.outcome);
			return await sendGate(request, reply, 200, found, false);
		});

		scope.post<Route>('/gates/:token', route, async (request, reply) => {
			const { token } = request.params;
			const found = await findGateByToken(journal, token);
			if (found.outcome !== 'found') return await sendUseless(reply, found.outcome);
			const form = readDecisionForm(request.body, found.shown);
			if (!form) return await sendNotice(reply, 400, 'badForm', FRAME);
			const { gateId } = found.shown;
			try {
				await decideGate(journal, { gateId, ...form, claimant: found.claimant });
			} catch (error) {
				if (!(error instanceof JournalProblem)) throw error;
				if (error.code === 'not_entitled') return await sendNotice(reply, 403, 'showsOnly', FRAME);
				if (error.code !== 'gate_closed') throw error;
				const standing = await findGateByToken(journal, token);
				if (standing.outcome !== 'found') return await sendUseless(reply, standing.outcome);
				return await sendGate(request, reply, 409, standing, true);
			}
			// Relative: behind a proxy the page may live under another path.
			return await sendOn(reply, token);
		});
	};

	async function sendGate(
		{ params }: FastifyRequest<Route>,
		reply: FastifyReply,
		status: number,
		{ shown, by }: Found,
		tooLate: boolean,
	): Promise<FastifyReply> {
		const now = journal.database.now();
		const gate = gateView(shown, by, now);
		const data = { gate, tooLate, action: params.token };
		return await sendPage(reply, status, 'gate', gate.title, FRAME, data);
	}
}

async function sendUseless(
	reply: FastifyReply,
	outcome: 'expired' | 'unknown',
): Promise<FastifyReply> {
	return await sendNotice(reply, outcome === 'expired' ? 410 : 404, outcome, FRAME);
}
