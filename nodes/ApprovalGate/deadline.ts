import type { IDataObject } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import type { Deadline } from '../../service/contract/gates';

const UNITS = { seconds: 'S', minutes: 'M', hours: 'H', days: 'D' } as const;
const SECONDS = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const;

const CLOCK_TIME = /^([01]?\d|2[0-3]):([0-5]\d)(:\d{2})?$/;
const INSTANT =
	/^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?$/;

/** The deadline parameters of the panel, as n8n evaluated them. */
export interface DeadlineParameters {
	deadlineType: 'none' | 'after' | 'clock' | 'instant';
	amount?: unknown;
	unit?: unknown;
	time?: unknown;
	dateTime?: unknown;
	/** IANA name; already the workflow's own zone where the panel's field is empty. */
	timeZone: string;
}

/**
 * The deadline as the journal takes it, or undefined for a gate without one.
 *
 * Only the form is checked here; the journal computes the instant, once, and refuses what lies in
 * the past.
 * @throws UserError that names the field which cannot be read
 */
export function deadlineOf(parameters: DeadlineParameters): Deadline | undefined {
	switch (parameters.deadlineType) {
		case 'none':
			return undefined;
		case 'after':
			return { in: durationOf(Number(parameters.amount), parameters.unit, 'The deadline') };
		case 'clock':
			return { at: clockTime(String(parameters.time ?? '')), timeZone: parameters.timeZone };
		case 'instant':
			return instant(parameters.dateTime, parameters.timeZone);
		default:
			throw new UserError(
				'The field Deadline gives no kind of deadline: choose one from the list, or correct the expression.',
			);
	}
}

/**
 * ISO 8601 duration. A fraction of a unit becomes whole seconds, as the journal takes no fractions.
 * @param what begins the sentence of the error, e.g. `The deadline`
 * @throws UserError for an amount or a unit that is none
 */
export function durationOf(amount: number, unit: unknown, what: string): string {
	if (!isUnit(unit) || !Number.isFinite(amount) || amount <= 0) {
		throw new UserError(`${what} needs an amount above zero and a unit.`);
	}
	if (!Number.isInteger(amount)) {
		return `PT${Math.max(1, Math.round(amount * SECONDS[unit]))}S`;
	}
	return unit === 'days' ? `P${amount}D` : `PT${amount}${UNITS[unit]}`;
}

function isUnit(unit: unknown): unit is keyof typeof UNITS {
	return typeof unit === 'string' && Object.hasOwn(UNITS, unit);
}

function clockTime(time: string): string {
	const match = CLOCK_TIME.exec(time.trim());
	if (!match) {
		throw new UserError(`"${time}" is no clock time. Write the deadline as 09:30 or 17:00.`);
	}
	return `${match[1]!.padStart(2, '0')}:${match[2]}`;
}

function instant(value: unknown, timeZone: string): Deadline {
	const text = asText(value).trim();
	const match = INSTANT.exec(text);
	if (!match) {
		throw new UserError(
			`"${text}" is no date and time. Write the deadline as 2027-06-01T11:00, with or without an offset.`,
		);
	}
	const local = `${match[1]}T${match[2]}`;
	return match[3] ? { on: local + match[3] } : { on: local, timeZone };
}

/** Expressions such as `{{ $now.plus(1, 'day') }}` give a Luxon DateTime, not a text. */
function asText(value: unknown): string {
	const dateTime = value as IDataObject | null | undefined;
	if (typeof dateTime?.toISO === 'function') return String(dateTime.toISO());
	if (value instanceof Date) return value.toISOString();
	return String(value ?? '');
}
