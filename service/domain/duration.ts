const UNITS_MS = [86_400_000, 3_600_000, 60_000, 1_000] as const;
const DURATION = /^P(?=\d|T\d)(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/**
 * The length of an ISO 8601 duration of days, hours, minutes and seconds; a day is 24 h, whatever
 * the clocks do that day.
 * @returns milliseconds, or undefined when the text is no such duration or not exactly countable
 */
export function durationMs(text: string): number | undefined {
	const match = DURATION.exec(text);
	if (!match) return undefined;
	const total = UNITS_MS.reduce(
		(sum, unit, index) => sum + Number(match[index + 1] ?? 0) * unit,
		0,
	);
	return Number.isSafeInteger(total) ? total : undefined;
}
