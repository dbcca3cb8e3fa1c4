import { performance } from 'node:perf_hooks';

/**
 * Runs `operation(index)` `count` times from `callers` loops at once.
 * @returns milliseconds p50 and p99 of one operation, and operations per second
 */
export async function measure(callers, count, operation) {
	const times = new Float64Array(count);
	let next = 0;
	const begin = performance.now();
	await Promise.all(
		Array.from({ length: callers }, async () => {
			while (next < count) {
				const index = next++;
				const start = performance.now();
				await operation(index);
				times[index] = performance.now() - start;
			}
		}),
	);
	const seconds = (performance.now() - begin) / 1000;
	times.sort();
	const at = (share) => times[Math.min(count - 1, Math.floor(count * share))];
	return { callers, count, p50Ms: at(0.5), p99Ms: at(0.99), perSecond: count / seconds };
}
