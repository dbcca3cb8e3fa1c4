import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Counts and times every request by route pattern: a URL may hold a secret, a pattern does not. */
export function measureRequests(server: FastifyInstance): Registry {
	const registry = new Registry();
	collectDefaultMetrics({ register: registry });
	const duration = new Histogram({
		name: 'journal_request_duration_seconds',
		help: 'Time from request to answer',
		labelNames: ['method', 'route', 'status'],
		buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
		registers: [registry],
	});
	server.addHook('onResponse', async (request, reply) => {
		duration.observe(
			{
				method: request.method,
				route: request.routeOptions.url ?? 'none',
				status: reply.statusCode,
			},
			reply.elapsedTime / 1000,
		);
	});
	return registry;
}
