import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEMS, type Problem, type ProblemCode } from '../contract/problem';
import { JournalProblem } from '../journal/problem';

const DEFAULT_RETRY_AFTER_MS = 1_000;

/** Fastify's own refusals, by their stable codes. */
const FASTIFY_CODES: Record<string, ProblemCode> = {
	FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
	FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
	FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_request',
	FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_request',
	FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
};

/** Every error leaves as RFC 9457 problem JSON with a stable code. */
export function answerProblems(server: FastifyInstance): void {
	server.setNotFoundHandler((_request, reply) => {
		sendProblem(reply, new JournalProblem('not_found'));
	});
	server.setErrorHandler((error: FastifyError, request, reply) => {
		sendProblem(reply, asProblem(error, request), request.id);
	});
}

/** The problem document of a refusal. */
export function problemDocument(problem: JournalProblem, requestId?: string): Problem {
	const kind = PROBLEMS[problem.code];
	const retryAfterMs = kind.retryable ? DEFAULT_RETRY_AFTER_MS : undefined;
	return {
		type: `urn:durable-journal:problem:${problem.code}`,
		title: kind.title,
		status: kind.status,
		code: problem.code,
		detail: requestId ? `${problem.message} Request id: ${requestId}.` : problem.message,
		...(retryAfterMs !== undefined && { retryAfterMs }),
		...problem.members,
	};
}

function sendProblem(reply: FastifyReply, problem: JournalProblem, requestId?: string): void {
	const document = problemDocument(
		problem,
		problem.code === 'internal_error' ? requestId : undefined,
	);
	// Fastify would close the connection under a client that is still sending, which then meets a
	// broken pipe in place of this answer. Left open, Node.js reads the rest and drops it.
	if (problem.code === 'payload_too_large') reply.removeHeader('connection');
	if (document.retryAfterMs !== undefined)
		void reply.header('retry-after', Math.ceil(document.retryAfterMs / 1000));
	void reply.code(document.status).type('application/problem+json').send(document);
}

function asProblem(error: FastifyError, request: FastifyRequest): JournalProblem {
	if (error instanceof JournalProblem) return error;
	if (error.validation) return invalidRequest(error.validation);
	if (error.code === 'store_busy' || error.code === 'store_damaged') {
		request.log.error({ err: error }, 'the store failed');
		return new JournalProblem(error.code);
	}
	const code = FASTIFY_CODES[error.code];
	if (code) return new JournalProblem(code, {}, error.message.replace(/\.$/, ''));
	if (error.statusCode !== undefined && error.statusCode < 500)
		return new JournalProblem('invalid_request', {}, 'The body is not valid JSON');
	request.log.error({ err: error }, 'unexpected error');
	return new JournalProblem('internal_error');
}

/** The refusal of a request that does not match its schema. */
export function invalidRequest(errors: readonly SchemaError[]): JournalProblem {
	return new JournalProblem('invalid_request', { errors: errors.map(validationError) });
}

interface SchemaError {
	readonly instancePath?: string;
	readonly message?: string;
	readonly params?: Record<string, unknown>;
}

function validationError(error: SchemaError): { pointer: string; detail: string } {
	const member = error.params?.['additionalProperty'] ?? error.params?.['missingProperty'];
	const pointer = (error.instancePath ?? '') + (typeof member === 'string' ? `/${member}` : '');
	return { pointer, detail: error.message ?? 'is not valid' };
}
