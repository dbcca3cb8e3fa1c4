import { GrammyError } from 'grammy';
import type { InlineKeyboardButton } from 'grammy/types';
import type { Approver } from '../../contract/gates';
import type { DeliveryOutcome, OutboxMessage } from '../../journal/outbox-message';
import type { Channel, ChannelRequest } from '../channel';
import { unreachableBecause } from '../reachable-url';
import { isRefusal, type TelegramBot } from './bot';
import { keyboard } from './buttons';
import { gateMessage, reminderMessage } from './gate-message';
import { type Piece, toHtml, toPlain } from './styled-text';

interface Place {
	readonly chat: string;
	readonly threadId: number | undefined;
}

const UNHEARD = {
	webhook: 'the webhook of this bot belongs to somebody else',
	other_poller: 'somebody else polls this bot',
};

/** Gates as Telegram messages with buttons, which later show the outcome in the same place. */
export class TelegramChannel implements Channel {
	readonly type = 'telegram';
	/** Until when Telegram asked us to be quiet, milliseconds since the epoch. */
	#quietUntil = 0;

	/**
	 * @param defaultChat TELEGRAM_CHAT_ID
	 * @param publicUrl where people reach decision pages
	 */
	constructor(
		private readonly bot: TelegramBot,
		private readonly defaultChat: string | undefined,
		private readonly publicUrl: string | undefined,
		private readonly now: () => number,
	) {}

	refuse(request: ChannelRequest, approvers: readonly Approver[]): string | undefined {
		if (this.bot.hearing === 'bad_token')
			return 'Telegram cannot be used: it does not accept TELEGRAM_BOT_TOKEN';
		const inPerson = approvers.some(({ telegramId }) => telegramId !== undefined);
		if (approvers.length > 0 && !inPerson)
			return 'Telegram cannot be used: none of the approvers has a telegramId, so nobody could decide there';
		if (request.to === undefined && !inPerson && this.defaultChat === undefined)
			return 'Telegram cannot be used: no chat is named; set TELEGRAM_CHAT_ID, or give the channel a "to"';
		const unheard = this.#unheardBecause();
		const unreachable = unreachableBecause(this.publicUrl);
		if (unheard === undefined || unreachable === undefined) return undefined;
		return `Telegram cannot be used: chat buttons would not be heard (${unheard}), and a phone could not open JOURNAL_PUBLIC_URL (${unreachable})`;
	}

	async deliver(message: OutboxMessage, signal: AbortSignal): Promise<DeliveryOutcome> {
		const quietForMs = this.#quietUntil - this.now();
		if (quietForMs > 0) return { kind: 'again', code: 'telegram_quiet', retryAfterMs: quietForMs };
		const chat = message.target.to ?? this.defaultChat;
		if (chat === undefined) return { kind: 'failed', code: 'telegram_no_chat' };
		if (this.bot.hearing === 'unknown') await this.bot.listenIn(signal);
		try {
			return await this.#show(message, { chat, threadId: message.target.threadId }, signal);
		} catch (error) {
			return this.#outcomeOf(error);
		}
	}

	async #show(message: OutboxMessage, place: Place, signal: AbortSignal): Promise<DeliveryOutcome> {
		const buttons = this.#keyboard(message, place.chat);
		const linked = buttons.some((row) => row.some((button) => 'url' in button));
		const pieces =
			message.kind === 'reminder'
				? reminderMessage(message.gate)
				: gateMessage(message.gate, linked);
		try {
			return await this.#send(message, place, pieces, buttons, true, signal);
		} catch (error) {
			if (!isRefusal(error, 400)) throw error;
			const { migrate_to_chat_id } = error.parameters;
			// A group that became a supergroup has a new id.
			if (migrate_to_chat_id !== undefined)
				return await this.#show(message, { ...place, chat: String(migrate_to_chat_id) }, signal);
			// Most likely it did not like an entity: what matters is that people can read it.
			return await this.#send(message, place, pieces, buttons, false, signal);
		}
	}

	async #send(
		message: OutboxMessage,
		{ chat, threadId }: Place,
		pieces: readonly Piece[],
		buttons: InlineKeyboardButton[][],
		html: boolean,
		signal: AbortSignal,
	): Promise<DeliveryOutcome> {
		const { kind, messageId, target } = message;
		const text = html ? toHtml(pieces) : toPlain(pieces);
		const options = {
			...(html && { parse_mode: 'HTML' as const }),
			// A preview would be fetched from the link, and would push the buttons off the screen.
			link_preview_options: { is_disabled: true },
		};
		if (isEdit(message)) {
			const edit = { ...options, reply_markup: { inline_keyboard: buttons } };
			await this.bot.api.editMessageText(chat, Number(messageId), text, edit, signal as never);
			return sentAsBefore(message);
		}
		const sent = await this.bot.api.sendMessage(
			chat,
			text,
			{
				...options,
				...(threadId !== undefined && { message_thread_id: threadId }),
				// A tap on the quoted message leads to its buttons.
				...(kind === 'reminder'
					? {
							reply_parameters: {
								message_id: Number(messageId),
								allow_sending_without_reply: true,
							},
						}
					: { reply_markup: { inline_keyboard: buttons } }),
			},
			signal as never,
		);
		// The chat's number: what was configured may be an @name, and presses carry the number.
		const place = { ...target, to: String(sent.chat.id) };
		return { kind: 'sent', messageId: String(sent.message_id), target: place };
	}

	/** Buttons that can be heard, and a link that can be opened; none where nothing can be decided. */
	#keyboard({ gate, shortId, links, answerable }: OutboxMessage, chat: string) {
		if (!answerable) return [];
		const heard = this.#unheardBecause() === undefined;
		// Groups and channels have negative ids or @names: a link there is seen by many.
		const isPrivate = Number(chat) > 0;
		const link = isPrivate ? (links.decide ?? links.show) : links.show;
		const reachable = unreachableBecause(this.publicUrl) === undefined;
		return keyboard(gate, heard ? shortId : undefined, reachable ? link : undefined);
	}

	#unheardBecause(): string | undefined {
		const { hearing } = this.bot;
		return hearing === 'webhook' || hearing === 'other_poller' ? UNHEARD[hearing] : undefined;
	}

	#outcomeOf(error: unknown): DeliveryOutcome {
		if (!(error instanceof GrammyError)) return { kind: 'again', code: 'telegram_unreachable' };
		const code = `telegram_${error.error_code}`;
		if (error.error_code === 429) {
			const retryAfterMs = (error.parameters.retry_after ?? 1) * 1000;
			this.#quietUntil = Math.max(this.#quietUntil, this.now() + retryAfterMs);
			return { kind: 'again', code, retryAfterMs };
		}
		// 400: not this message; 403: the bot is blocked or was removed. Everything else may pass.
		return [400, 403].includes(error.error_code)
			? { kind: 'failed', code }
			: { kind: 'again', code };
	}
}

/** Shown where the gate was shown first. */
function isEdit({ kind }: OutboxMessage): boolean {
	return kind === 'update' || kind === 'outcome';
}

function sentAsBefore({ messageId, target }: OutboxMessage): DeliveryOutcome {
	return { kind: 'sent', messageId: messageId!, target };
}
