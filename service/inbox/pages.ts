import type { FastifyInstance } from 'fastify';
import type { Journal } from '../journal/journal';
import { decisionPages } from './decision-pages';
import { inboxPages } from './inbox-pages';

/** Adds everything that people open in a browser: decision pages and the inbox. */
export async function registerPages(
	server: FastifyInstance,
	journal: Journal,
	{ adminKey }: { readonly adminKey: string },
): Promise<void> {
	await server.register(decisionPages(journal));
	await server.register(inboxPages(journal, adminKey));
}
