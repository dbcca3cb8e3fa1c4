import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey } from '../domain/sealed-text';

/** Who is logged in, and until when (milliseconds since the epoch). */
interface Session {
	readonly by: string;
	readonly expiresAt: number;
}

export const SESSION_MS = 12 * 3_600_000;

/**
 * Sessions live in the cookie alone, signed with a key that depends on the admin key: changing
 * that key ends every session.
 */
export class Sessions {
	readonly #key: Buffer;

	constructor(secret: Buffer, adminKey: string) {
		const key = derivedKey(secret, 'inbox-session');
		this.#key = createHmac('sha256', key).update(adminKey, 'utf8').digest();
	}

	/** @param by the person's name @param now milliseconds since the epoch */
	issue(by: string, now: number): string {
		const session: Session = { by, expiresAt: now + SESSION_MS };
		const body = Buffer.from(JSON.stringify(session), 'utf8').toString('base64url');
		return `${body}.${this.#signature(body).toString('base64url')}`;
	}

	/** The person's name, or undefined when the cookie is missing, altered or too old. */
	read(cookie: string | undefined, now: number): string | undefined {
		const [body, signature] = cookie?.split('.') ?? [];
		if (!body || !signature) return undefined;
		const given = Buffer.from(signature, 'base64url');
		const expected = this.#signature(body);
		if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
		const session = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Session;
		return session.expiresAt > now ? session.by : undefined;
	}

	#signature(body: string): Buffer {
		return createHmac('sha256', this.#key).update(body).digest();
	}
}
