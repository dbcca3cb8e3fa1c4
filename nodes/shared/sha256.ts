/** SHA-256 of bytes, or of the UTF-8 bytes of a text, as lowercase hex. */
export async function sha256Hex(message: string | Uint8Array<ArrayBuffer>): Promise<string> {
	const bytes = typeof message === 'string' ? new TextEncoder().encode(message) : message;
	const digest = await crypto.subtle.digest('SHA-256', bytes);
	return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
