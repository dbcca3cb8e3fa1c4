import type { CallbackQuery, User } from 'grammy/types';
import { visibleLine } from '../../domain/visible-text';
import type { ButtonPress } from '../../journal/press-button';
import { parseButtonData } from './buttons';

/** A callback query as a press of one of our buttons; undefined when it is none. */
export function pressOf({ data, message, from }: CallbackQuery): ButtonPress | undefined {
	const parsed = parseButtonData(data);
	if (!parsed || !message) return undefined;
	const chatId = String(message.chat.id);
	const username = 'username' in message.chat ? message.chat.username : undefined;
	return {
		...parsed,
		chatId,
		chatNames: username === undefined ? [chatId] : [chatId, `@${username}`],
		messageId: String(message.message_id),
		from: { via: 'telegram', telegramId: from.id, name: nameOf(from) },
	};
}

/** As the chat shows the person, with what identifies them: names are not unique. */
function nameOf({ id, first_name, last_name, username }: User): string {
	const name = visibleLine(`${first_name} ${last_name ?? ''}`)
		.slice(0, 128)
		.toWellFormed();
	return `${name} (${username === undefined ? id : `@${username}`})`;
}
