import type { FastifyError, FastifyInstance } from 'fastify';
import { JournalProblem } from '../journal/problem';
import { sendNotice } from './render';

/** People get pages, not problem documents, for whatever goes wrong in this scope. */
export function answerWithPages(scope: FastifyInstance): void {
	scope.setErrorHandler(async (error: FastifyError, request, reply) => {
		const root = '../'.repeat(request.url.split('?')[0]!.split('/').length - 2) || './';
		// The name, since its class belongs to a layer that pages do not see.
		if (error.name === 'StoreBusyError') {
			request.log.error({ err: error }, 'the store refused a write');
			return await sendNotice(reply.header('Retry-After', '1'), 503, 'busy', { root });
		}
		if (error instanceof JournalProblem) {
			const { status } = error;
			return await sendNotice(reply, status, status === 404 ? 'missing' : 'badForm', { root });
		}
		if (error.statusCode !== undefined && error.statusCode < 500)
			return await sendNotice(reply, error.statusCode, 'badForm', { root });
		request.log.error({ err: error }, 'unexpected error');
		return await sendNotice(reply, 500, 'failed', { root });
	});
}
