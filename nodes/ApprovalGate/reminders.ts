import type { IDataObject } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { durationOf } from './deadline';

interface ReminderRow {
	when?: 'share' | 'before' | 'every';
	percent?: unknown;
	amount?: unknown;
	unit?: unknown;
}

/**
 * Reminders as the journal takes them: `50%`, `PT1H` before the deadline, `R/P1D` for every day.
 * @throws UserError for one that cannot be read
 */
export function remindersOf(value: unknown): string[] {
	const { reminder } = (value ?? {}) as IDataObject;
	if (reminder === undefined || reminder === null) return [];
	return [reminder as ReminderRow | ReminderRow[]].flat().map((row) => {
		if (row.when === 'share') return `${percentOf(row.percent ?? 50)}%`;
		const duration = durationOf(Number(row.amount ?? 1), row.unit ?? 'hours', 'A reminder');
		return row.when === 'every' ? `R/${duration}` : duration;
	});
}

function percentOf(value: unknown): number {
	const percent = Math.round(Number(value));
	if (percent >= 1 && percent <= 99) return percent;
	throw new UserError(`A reminder needs a share from 1 to 99 percent, and has "${String(value)}".`);
}
