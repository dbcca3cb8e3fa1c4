import { createHmac, timingSafeEqual } from 'node:crypto';
import type { TokenHolder } from './authority';
import { derivedKey } from './sealed-text';

/**
 * The signed secret in one link: for which gate, who holds it, by which way it came, until when. It
 * covers neither host nor path, so links survive a proxy and a moved journal.
 */
export interface DecisionToken {
	readonly gateId: string;
	/**
	 * Index into the gate's approvers; `link` where none are named and whoever holds the link may
	 * decide; `show` for a link that many can see: it shows, and decides nothing.
	 */
	readonly holder: TokenHolder;
	/** `email`: the link was sent by mail. */
	readonly via: 'link' | 'email';
	/** Milliseconds since the epoch. */
	readonly expiresAt: number;
}

const DAY_MS = 86_400_000;
const TOKEN = /^([\w-]{43})\.(link|show|\d{1,2})(m?)\.([0-9a-z]{1,11})\.([\w-]{43})$/;

/** Links outlive their gate by a month, to show what was decided; without a deadline, 13 months. */
export function tokenExpiry(openedAt: number, deadlineAt: number | null): number {
	return (deadlineAt ?? openedAt + 365 * DAY_MS) + 30 * DAY_MS;
}

/**
 * Writes a token: URL-safe, about 110 characters.
 * @param shownSha256 fingerprint of what the gate shows: the link is of no use for anything else
 */
export function signDecisionToken(
	secret: Buffer,
	{ gateId, holder, via, expiresAt }: DecisionToken,
	shownSha256: string,
): string {
	const gate = Buffer.from(gateId, 'hex').toString('base64url');
	const body = `${gate}.${holder}${via === 'email' ? 'm' : ''}.${expiresAt.toString(36)}`;
	return `${body}.${signature(secret, body, shownSha256).toString('base64url')}`;
}

/** What a token says, before its signature is checked: only to find the gate that it names. */
export function parseDecisionToken(text: string): DecisionToken | undefined {
	const match = TOKEN.exec(text);
	if (!match) return undefined;
	const [, gate, holder, mail, expiry] = match as unknown as [
		string,
		string,
		string,
		string,
		string,
	];
	return {
		gateId: Buffer.from(gate, 'base64url').toString('hex'),
		holder: holder === 'link' || holder === 'show' ? holder : Number(holder),
		via: mail === '' ? 'link' : 'email',
		expiresAt: Number.parseInt(expiry, 36),
	};
}

/**
 * Reads a token back.
 * @param shownSha256 of the gate that it names
 * @returns `invalid`: altered, signed with another secret, or made for something else than is shown
 */
export function readDecisionToken(
	secret: Buffer,
	text: string,
	shownSha256: string,
	now: number,
): DecisionToken | 'invalid' | 'expired' {
	const token = parseDecisionToken(text);
	if (!token) return 'invalid';
	const end = text.lastIndexOf('.');
	const signed = text.slice(end + 1);
	const expected = signature(secret, text.slice(0, end), shownSha256);
	// The text is compared too: the last character of base64url has bits that decoding ignores.
	if (
		!timingSafeEqual(expected, Buffer.from(signed, 'base64url')) ||
		expected.toString('base64url') !== signed
	)
		return 'invalid';
	return token.expiresAt <= now ? 'expired' : token;
}

function signature(secret: Buffer, body: string, shownSha256: string): Buffer {
	return createHmac('sha256', derivedKey(secret, 'decision-token'))
		.update(`${body}.${shownSha256}`)
		.digest();
}
