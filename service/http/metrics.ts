import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { RetentionCounts } from '../journal/prune-runs';

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

/** Shows what the retention has removed since the start. */
export function countRemovals(registry: Registry, counts: Readonly<RetentionCounts>): void {
	const show = (name: string, help: string, count: () => number) =>
		new Counter({
			name,
			help,
			registers: [registry],
			collect() {
				this.reset();
				this.inc(count());
			},
		});
	show('journal_runs_pruned_total', 'Runs removed by age', () => counts.runsPruned);
	show(
		'journal_tombstones_removed_total',
		'Tombstones and audits of removed runs that were removed by age',
		() => counts.tombstonesRemoved,
	);
}
