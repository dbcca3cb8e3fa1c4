import type { FastifyInstance } from 'fastify';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Registry } from 'prom-client';
import { About } from '../contract/runs';
import type { Journal } from '../journal/journal';

/** `GET /v1`: tells a credential test that address and key are right. */
export function aboutRoute(version: string): FastifyPluginAsyncTypebox {
	return async (server) => {
		server.get(
			'/',
			{ schema: { tags: ['service'], summary: 'About this service', response: { 200: About } } },
			async () => ({ api: 'durable-journal' as const, version }),
		);
	};
}

/** Health, metrics and the OpenAPI document: open to everybody, without anything secret. */
export function serviceRoutes(server: FastifyInstance, journal: Journal, metrics: Registry): void {
	const hide = { schema: { hide: true } };
	server.get('/healthz', hide, async () => ({ status: 'ok' }));
	server.get('/readyz', hide, async () => {
		await journal.database.read(async (queries) => await queries.get('SELECT 1'));
		return { status: 'ready' };
	});
	server.get('/metrics', hide, async (_request, reply) => {
		return await reply.type(metrics.contentType).send(await metrics.metrics());
	});
	server.get('/openapi.json', hide, async () => server.swagger());
}
