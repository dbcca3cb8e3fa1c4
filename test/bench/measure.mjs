import { performance } from 'node:perf_hooks';

/**
 * Runs `operation(index)` again and again from `callers` loops at once; what has begun when the time is
 * over is waited for and counted.
 * @param seconds for how long operations are begun
 * @returns milliseconds of one operation (p50, p99, the longest), and operations per second
 */
export async function measure(callers, seconds, operation) {
	const times = [];
	const begin = performance.now();
	const end = begin + seconds * 1_000;
	let next = 0;
	await Promise.all(
		Array.from({ length: callers }, async () => {
			for (let start = performance.now(); start < end;) {
				await operation(next++);
				const now = performance.now();
				times.push(now - start);
				start = now;
			}
		}),
	);
	const took = (performance.now() - begin) / 1_000;
	const sorted = Float64Array.from(times).sort();
	const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
	return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: sorted.at(-1), perSecond: sorted.length / took };
}
