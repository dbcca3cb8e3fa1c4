import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import type { FastifyReply } from 'fastify';
import { type Notice, TEXTS } from './texts';

/** Everything that a template reads is in `it`; every `<%= %>` is escaped. */
const eta = new Eta({ views: join(__dirname, 'templates'), cache: true, autoEscape: true });
const css = readFileSync(join(__dirname, 'style.css'), 'utf8');
const icon = `data:image/svg+xml,${encodeURIComponent(
	'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#3b4cca"/><path d="M4.5 8.3l2.4 2.4 4.6-5" fill="none" stroke="#fff" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/></svg>',
)}`;
const cssHash = createHash('sha256').update(css).digest('base64');

/**
 * No scripts, nothing from elsewhere, never in a frame, never kept. The referrer stays on this
 * origin: the address of a page is a secret; with `no-referrer` browsers would send
 * `Origin: null` with our own forms.
 */
const HEADERS = {
	'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${cssHash}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
	'Referrer-Policy': 'same-origin',
	'Cache-Control': 'no-store',
	'X-Content-Type-Options': 'nosniff',
	'X-Frame-Options': 'DENY',
	'X-Robots-Tag': 'noindex, nofollow',
	'Cross-Origin-Opener-Policy': 'same-origin',
} as const;

type Template = 'gate' | 'list' | 'login' | 'notice';

export interface PageFrame {
	/** Relative way to the service's root, so that a proxy may put it under a path. */
	readonly root: string;
	/** The name of who is logged in. */
	readonly session?: string;
}

/** Answers with a page. @param data what the template reads besides the frame */
export async function sendPage(
	reply: FastifyReply,
	status: number,
	template: Template,
	title: string,
	frame: PageFrame,
	data: object,
): Promise<FastifyReply> {
	const pageTitle = `${title} · ${TEXTS.product}`;
	const page = { t: TEXTS, css, icon, pageTitle, session: undefined, ...frame, ...data };
	return await reply
		.code(status)
		.headers(HEADERS)
		.type('text/html; charset=utf-8')
		.send(eta.render(`./${template}`, page));
}

/** Answers with a page that says one thing. */
export async function sendNotice(
	reply: FastifyReply,
	status: number,
	notice: Notice,
	frame: PageFrame,
): Promise<FastifyReply> {
	const { title, text } = TEXTS.notices[notice];
	return await sendPage(reply, status, 'notice', title, frame, { title, text });
}

/** Sends the browser on after a post, with the same care as for a page. */
export async function sendOn(reply: FastifyReply, location: string): Promise<FastifyReply> {
	return await reply.headers(HEADERS).redirect(location, 303);
}
