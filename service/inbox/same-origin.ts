import type { FastifyRequest } from 'fastify';

/**
 * Did a form post come from our own pages? Browsers say where a form was: by `Origin`, and by
 * `Sec-Fetch-Site`, which no page can set.
 * @param publicUrl a proxy may hide the name under which people know the service
 */
export function isSameOrigin({ headers }: FastifyRequest, publicUrl: string): boolean {
	const site = headers['sec-fetch-site'];
	if (site !== undefined && site !== 'same-origin') return false;
	const { origin } = headers;
	// `null` comes from sandboxed frames and redirects across origins.
	if (origin === undefined || !URL.canParse(origin)) return false;
	const { host } = new URL(origin);
	return host === headers.host || origin === new URL(publicUrl).origin;
}
