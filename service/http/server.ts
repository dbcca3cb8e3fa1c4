import swagger from '@fastify/swagger';
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { MAX_BODY_BYTES } from '../domain/limits';
import type { Journal } from '../journal/journal';
import type { RetentionCounts } from '../journal/prune-runs';
import { requireKey, type Keys } from './authentication';
import { refuseDeepBodies } from './body-depth';
import { gateRoutes } from './gate-routes';
import { BodyThread, type BodyReader } from './large-bodies/body-thread';
import { receiveLargeBodies } from './large-bodies/receive-large-bodies';
import { countRemovals, measureRequests } from './metrics';
import { answerProblems } from './problems';
import { runRoutes } from './run-routes';
import { aboutRoute, serviceRoutes } from './service-routes';
import { stepListRoutes } from './step-list-routes';
import { stepRoutes } from './step-routes';

/** Longer than clients keep idle sockets, or they meet a connection that closes under them. */
const KEEP_ALIVE_MS = 72_000;

export interface ServerOptions {
	readonly journal: Journal;
	readonly keys: Keys;
	readonly version: string;
	readonly logger: FastifyBaseLogger;
	/** Counted up by the retention worker; shown in the metrics. */
	readonly retentionCounts?: Readonly<RetentionCounts>;
	/** Takes payloads out of large bodies; a thread of its own if left out. */
	readonly bodyReader?: BodyReader;
}

/** The API under `/v1` with health, metrics and OpenAPI. Pages for people are registered on top. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
	const server = fastify({
		loggerInstance: options.logger,
		// The built-in request log writes URLs, and those of decision pages are secrets.
		logController: new LogController({ disableRequestLogging: true }),
		bodyLimit: MAX_BODY_BYTES,
		keepAliveTimeout: KEEP_ALIVE_MS,
		routerOptions: { maxParamLength: 2048 },
		// Members of such names are data like others here, and a result that holds one must be kept.
		onProtoPoisoning: 'ignore',
		onConstructorPoisoning: 'ignore',
		ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
		forceCloseConnections: 'idle',
	});
	// Response schemas document; compiled serialisers would silently drop what they do not name.
	server.setSerializerCompiler(() => (data) => JSON.stringify(data));
	answerProblems(server);
	server.removeContentTypeParser('text/plain');
	ignoreTypeOfNothing(server);
	logRoutes(server);
	const metrics = measureRequests(server);
	if (options.retentionCounts) countRemovals(metrics, options.retentionCounts);
	const bodyReader = options.bodyReader ?? new BodyThread();
	server.addHook('onClose', async () => await bodyReader.close());
	await server.register(swagger, {
		openapi: {
			openapi: '3.1.0',
			info: { title: 'durable-journal', version: options.version },
			components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
			security: [{ key: [] }],
		},
	});
	await server.register(
		async (v1) => {
			requireKey(v1, options.keys);
			refuseDeepBodies(v1);
			await v1.register(aboutRoute(options.version));
			await v1.register(
				stepRoutes(options.journal, receiveLargeBodies(bodyReader, MAX_BODY_BYTES)),
			);
			await v1.register(stepListRoutes(options.journal));
			await v1.register(gateRoutes(options.journal));
			await v1.register(runRoutes(options.journal));
		},
		{ prefix: '/v1' },
	);
	serviceRoutes(server, options.journal, metrics);
	return server;
}

/** Many clients send a content type with every request, also with a DELETE that has no body. */
function ignoreTypeOfNothing(server: FastifyInstance): void {
	server.addHook('onRequest', async ({ method, headers }) => {
		const hasBody =
			headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
		if (method === 'DELETE' && !hasBody) delete headers['content-type'];
	});
}

function logRoutes(server: FastifyInstance): void {
	server.addHook('onResponse', async (request, reply) => {
		const level = reply.statusCode >= 500 ? 'warn' : 'debug';
		// A quiet request must not pay for a line that nobody will see.
		if (level === 'debug' && !debugs(server)) return;
		request.log[level](
			{
				method: request.method,
				route: request.routeOptions.url,
				status: reply.statusCode,
				ms: Math.round(reply.elapsedTime * 1000) / 1000,
			},
			'request',
		);
	});
}

function debugs(server: FastifyInstance): boolean {
	return server.log.level === 'debug' || server.log.level === 'trace';
}
