/** Numbers that look random and come again for the same seed: uniform in [0, 1). */
export function seededRandom(seed: number): () => number {
	// Mulberry32, a generator in the public domain.
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let t = state;
		t = Math.imul(t ^ (t >>> 15), t | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
	};
}
