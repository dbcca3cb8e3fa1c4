import { IANAZone } from 'luxon';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** A reading of a wall clock. `ms` is what the same reading would be in UTC, milliseconds since the epoch. */
export interface WallTime {
	readonly ms: number;
}

/** Is it a zone of the IANA database that this machine knows? */
export function isTimeZone(name: string): boolean {
	return IANAZone.isValidZone(name);
}

/** What the wall clock shows in a zone at an instant. */
export function wallTimeAt(instantMs: number, timeZone: string): WallTime {
	return { ms: instantMs + offsetMs(instantMs, timeZone) };
}

/**
 * The instant at which the wall clock of a zone shows a time. When it shows it twice (clocks set
 * back), the first; when it never does (clocks set forward), what the offset before the change
 * gives, which is as much later as the clocks jumped.
 * @returns milliseconds since the epoch
 */
export function instantOf(wall: WallTime, timeZone: string): number {
	// Offsets are within ±14 h, so a day to either side is surely before and after a change.
	const before = offsetMs(wall.ms - DAY_MS, timeZone);
	const after = offsetMs(wall.ms + DAY_MS, timeZone);
	const candidates = [wall.ms - before, wall.ms - after].filter(
		(candidate) => wallTimeAt(candidate, timeZone).ms === wall.ms,
	);
	return candidates.length > 0 ? Math.min(...candidates) : wall.ms - before;
}

function offsetMs(instantMs: number, timeZone: string): number {
	return IANAZone.create(timeZone).offset(instantMs) * MINUTE_MS;
}
