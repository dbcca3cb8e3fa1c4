import type { Deadline } from '../contract/gates';
import type { Unhashable } from './canonical-json';
import { durationMs } from './duration';
import { instantOf, isTimeZone, wallTimeAt } from './zone';

const DAY_MS = 86_400_000;
/** The last instant that RFC 3339 can write. */
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const DATE_TIME =
	/^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?(?:Z|([+-])(\d\d):(\d\d))?$/;

/**
 * Turns what a caller asked for into an instant, once and for all.
 * @param now milliseconds since the epoch
 * @returns milliseconds since the epoch, or what is wrong, with a pointer into the deadline
 */
export function deadlineInstant(deadline: Deadline, now: number): number | Unhashable {
	const at = resolve(deadline, now);
	if (typeof at !== 'number') return at;
	const pointer = 'in' in deadline ? '/in' : 'at' in deadline ? '/at' : '/on';
	if (at <= now) return { pointer, detail: 'is in the past' };
	if (at > LAST_INSTANT) return { pointer, detail: 'is after the year 9999' };
	return at;
}

function resolve(deadline: Deadline, now: number): number | Unhashable {
	if ('in' in deadline) {
		const length = durationMs(deadline.in);
		return length === undefined
			? { pointer: '/in', detail: 'is no duration such as PT3H or P2D' }
			: now + length;
	}
	if ('timeZone' in deadline && !isTimeZone(deadline.timeZone))
		return { pointer: '/timeZone', detail: 'is no IANA time zone such as Europe/Madrid' };
	if ('at' in deadline) return nextTime(deadline.at, deadline.timeZone, now);
	const utc = readDateTime(deadline.on);
	if (utc === undefined) return { pointer: '/on', detail: 'is no date and time of the calendar' };
	return 'timeZone' in deadline ? instantOf({ ms: utc }, deadline.timeZone) : utc;
}

/** The next instant after `now` at which it is `time` (HH:MM) in the zone. */
function nextTime(time: string, timeZone: string, now: number): number {
	const [hours, minutes] = time.split(':').map(Number) as [number, number];
	const today = Math.floor(wallTimeAt(now, timeZone).ms / DAY_MS) * DAY_MS;
	const inDay = (hours * 60 + minutes) * 60_000;
	const first = instantOf({ ms: today + inDay }, timeZone);
	return first > now ? first : instantOf({ ms: today + DAY_MS + inDay }, timeZone);
}

/** Milliseconds since the epoch; a time without an offset is read as UTC. Undefined for 30 February. */
function readDateTime(text: string): number | undefined {
	const match = DATE_TIME.exec(text);
	if (!match) return undefined;
	const part = (index: number) => Number(match[index] ?? 0);
	const fraction = Number((match[7] ?? '').padEnd(3, '0'));
	const ms = Date.UTC(part(1), part(2) - 1, part(3), part(4), part(5), part(6), fraction);
	const date = new Date(ms);
	// Date.UTC rolls over (30 February is 2 March) and takes years below 100 for 19xx.
	const real =
		date.getUTCFullYear() === part(1) &&
		date.getUTCMonth() === part(2) - 1 &&
		date.getUTCDate() === part(3) &&
		date.getUTCHours() === part(4) &&
		date.getUTCMinutes() === part(5) &&
		date.getUTCSeconds() === part(6);
	if (!real || part(9) > 23 || part(10) > 59) return undefined;
	const offset = (part(9) * 60 + part(10)) * 60_000;
	return match[8] === '-' ? ms + offset : ms - offset;
}
