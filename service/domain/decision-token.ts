import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey } from './sealed-text';

/**
 * The signed secret in one link: for which gate, who holds it, until when. It covers neither host
 * nor path, so links survive a proxy and a moved journal.
 */
export interface DecisionToken {
	readonly gateId: string;
	/**
	 * Index into the gate's approvers; `link` where none are named and whoever holds the link may
	 * decide; `show` for a link that many can see: it shows, and decides nothing.
	 */
	readonly holder: number | 'link' | 'show';
	/** Milliseconds since the epoch. */
	readonly expiresAt: number;
}

const DAY_MS = 86_400_000;
const TOKEN = /^([\w-]{43})\.(link|show|\d{1,2})\.([0-9a-z]{1,11})\.([\w-]{43})$/;

/** Links outlive their gate by a month, to show what was decided; without a deadline, 13 months. */
export function tokenExpiry(openedAt: number, deadlineAt: number | null): number {
	return (deadlineAt ?? openedAt + 365 * DAY_MS) + 30 * DAY_MS;
}

/** Writes a token: URL-safe, about 110 characters. */
export function signDecisionToken(secret: Buffer, token: DecisionToken): string {
	const gate = Buffer.from(token.gateId, 'hex').toString('base64url');
	const body = `${gate}.${token.holder}.${token.expiresAt.toString(36)}`;
	return `${body}.${signature(secret, body).toString('base64url')}`;
}

/** Reads a token back. `invalid`: altered, or signed with another secret. */
export function readDecisionToken(
	secret: Buffer,
	text: string,
	now: number,
): DecisionToken | 'invalid' | 'expired' {
	const match = TOKEN.exec(text);
	if (!match) return 'invalid';
	const [, gate, holder, expiry, signed] = match as unknown as [
		string,
		string,
		string,
		string,
		string,
	];
	const expected = signature(secret, `${gate}.${holder}.${expiry}`);
	const given = Buffer.from(signed, 'base64url');
	// The text is compared too: the last character of base64url has bits that decoding ignores.
	if (!timingSafeEqual(expected, given) || expected.toString('base64url') !== signed)
		return 'invalid';
	const expiresAt = Number.parseInt(expiry, 36);
	if (expiresAt <= now) return 'expired';
	return {
		gateId: Buffer.from(gate, 'base64url').toString('hex'),
		holder: holder === 'link' || holder === 'show' ? holder : Number(holder),
		expiresAt,
	};
}

function signature(secret: Buffer, body: string): Buffer {
	return createHmac('sha256', derivedKey(secret, 'decision-token')).update(body).digest();
}
