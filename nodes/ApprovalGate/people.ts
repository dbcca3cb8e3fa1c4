import type { IDataObject } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import type { Approver } from '../../service/contract/gates';

/** A row of a list of people on the panel, as n8n evaluated it. */
interface PersonRow {
	name?: unknown;
	email?: unknown;
	inbox?: unknown;
	slackId?: unknown;
	telegramId?: unknown;
}

/**
 * The people of a list on the panel.
 * @param value of a `peopleProperty`; one person alone where the list holds one
 * @param field what the person sees above it
 * @throws UserError where an expression gives no name, or no number for Telegram: a person who is
 *   left out silently could not decide, and with nobody left anybody could
 */
export function peopleOf(value: unknown, field: string): Approver[] {
	const { person } = (value ?? {}) as IDataObject;
	if (person === undefined || person === null) return [];
	return [person as PersonRow | PersonRow[]].flat().map((row) => approverOf(row, field));
}

function approverOf(row: PersonRow, field: string): Approver {
	const name = textOf(row.name);
	if (name === '') {
		throw new UserError(`${field}: a person has no name. Fill in Name, or correct its expression.`);
	}
	const telegram = textOf(row.telegramId);
	if (telegram !== '' && !/^[1-9]\d{0,15}$/.test(telegram)) {
		throw new UserError(
			`${field}: the Telegram ID of "${name}" is no number such as 123456789. An @name does not do: it can change hands.`,
		);
	}
	const texts = {
		email: textOf(row.email),
		inbox: textOf(row.inbox),
		slackId: textOf(row.slackId),
	};
	return {
		name,
		...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
		...(telegram !== '' && { telegramId: Number(telegram) }),
	};
}

function textOf(value: unknown): string {
	return String(value ?? '').trim();
}
