import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A key for one purpose only, derived from the journal's secret (RFC 5869). */
export function derivedKey(secret: Buffer, purpose: string): Buffer {
	return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `durable:v1:${purpose}`, 32));
}

/**
 * Encrypts a text with AES-256-GCM.
 * @param iv 12 random bytes, never the same twice
 * @returns base64 of iv, tag and ciphertext
 */
export function sealText(key: Buffer, iv: Buffer, text: string): string {
	const cipher = createCipheriv('aes-256-gcm', key, iv);
	const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
	return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Decrypts what sealText made; undefined when the key is another one or the text was altered. */
export function openSealedText(key: Buffer, sealed: string): string | undefined {
	const bytes = Buffer.from(sealed, 'base64');
	if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
	const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES));
	decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
	try {
		return Buffer.concat([
			decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)),
			decipher.final(),
		]).toString('utf8');
	} catch {
		return undefined;
	}
}
