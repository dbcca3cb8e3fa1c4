/**
 * SHA-256 (FIPS 180-4) of what comes in pieces. Web Crypto digests only what is in memory as a whole,
 * and a file in n8n's storage may be larger than that.
 */
const BLOCK = 64;

/** First 32 bits of the fractional parts of the roots of the first primes. */
function fractions(root: (prime: number) => number, count: number): Int32Array {
	const primes: number[] = [];
	for (let candidate = 2; primes.length < count; candidate++)
		if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
	return Int32Array.from(primes, (prime) => ((root(prime) % 1) * 2 ** 32) | 0);
}

const ROUND = fractions(Math.cbrt, 64);
const START = fractions(Math.sqrt, 8);

const words = new Int32Array(64);

/** Mixes one block of 64 bytes into the state. */
function mix(state: Int32Array, bytes: Uint8Array, offset: number): void {
	for (let i = 0, at = offset; i < 16; i++, at += 4)
		words[i] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
	for (let i = 16; i < 64; i++) {
		const x = words[i - 15]!;
		const y = words[i - 2]!;
		const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
		const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
		words[i] = (words[i - 16]! + s0 + words[i - 7]! + s1) | 0;
	}
	let a = state[0]!;
	let b = state[1]!;
	let c = state[2]!;
	let d = state[3]!;
	let e = state[4]!;
	let f = state[5]!;
	let g = state[6]!;
	let h = state[7]!;
	for (let i = 0; i < 64; i++) {
		const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
		const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUND[i]! + words[i]!) | 0;
		const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
		const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
		h = g;
		g = f;
		f = e;
		e = (d + t1) | 0;
		d = c;
		c = b;
		b = a;
		a = (t1 + t2) | 0;
	}
	for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i]! + value) | 0;
}

/** The end of a message: a one, zeros, and its length in bits. */
function lastBlocks(rest: Uint8Array, bytes: number): Uint8Array {
	const last = new Uint8Array(rest.length < BLOCK - 8 ? BLOCK : 2 * BLOCK);
	last.set(rest);
	last[rest.length] = 0x80;
	new DataView(last.buffer).setBigUint64(last.length - 8, BigInt(bytes) * 8n);
	return last;
}

/**
 * @param chunks the message in pieces of any size, such as a readable stream
 * @returns the digest as lowercase hex, and how many bytes there were
 */
export async function sha256OfStream(
	chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<{ sha256: string; bytes: number }> {
	const state = START.slice();
	const rest = new Uint8Array(BLOCK);
	let bytes = 0;
	for await (const chunk of chunks) {
		let offset = 0;
		const kept = bytes % BLOCK;
		bytes += chunk.length;
		if (kept > 0) {
			rest.set(chunk.subarray(0, BLOCK - kept), kept);
			offset = BLOCK - kept;
			if (chunk.length < offset) continue;
			mix(state, rest, 0);
		}
		for (; offset + BLOCK <= chunk.length; offset += BLOCK) mix(state, chunk, offset);
		rest.set(chunk.subarray(offset));
	}
	const last = lastBlocks(rest.subarray(0, bytes % BLOCK), bytes);
	for (let offset = 0; offset < last.length; offset += BLOCK) mix(state, last, offset);
	const sha256 = Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
	return { sha256, bytes };
}
