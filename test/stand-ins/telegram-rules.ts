/** What Telegram's servers refuse in a message. Descriptions are those of the real API. */
import { parseTelegramHtml } from './telegram-html';

export class Refusal extends Error {
	constructor(
		readonly status: number,
		readonly description: string,
		readonly parameters?: { retry_after?: number; migrate_to_chat_id?: number },
	) {
		super(description);
	}
}

export interface Button {
	text: string;
	callback_data?: string;
	url?: string;
}
export interface MessagePayload {
	text?: string;
	parse_mode?: string;
	reply_markup?: { inline_keyboard?: Button[][] };
}

/** @returns the text as people read it */
export function checkText({ text, parse_mode }: MessagePayload): string {
	if (typeof text !== 'string') throw new Refusal(400, 'Bad Request: message text is empty');
	if (parse_mode !== undefined && parse_mode !== 'HTML')
		throw new Refusal(400, 'Bad Request: unsupported parse_mode');
	const shown = parse_mode === 'HTML' ? parseTelegramHtml(text) : text;
	if (shown === undefined) throw new Refusal(400, "Bad Request: can't parse entities");
	if (shown.trim() === '') throw new Refusal(400, 'Bad Request: message text is empty');
	if (shown.length > 4096) throw new Refusal(400, 'Bad Request: message is too long');
	return shown;
}

/** @returns the keyboard's buttons in one list */
export function checkButtons({ reply_markup }: MessagePayload): Button[] {
	const buttons = (reply_markup?.inline_keyboard ?? []).flat();
	for (const button of buttons) {
		if (typeof button.text !== 'string' || button.text === '')
			throw new Refusal(400, 'Bad Request: inline keyboard button text must be non-empty');
		if ((button.callback_data === undefined) === (button.url === undefined))
			throw new Refusal(400, 'Bad Request: text buttons are unallowed in the inline keyboard');
		if (button.callback_data !== undefined) {
			const bytes = Buffer.byteLength(button.callback_data);
			if (bytes < 1 || bytes > 64) throw new Refusal(400, 'Bad Request: BUTTON_DATA_INVALID');
		}
		if (button.url !== undefined && !isButtonUrl(button.url))
			throw new Refusal(
				400,
				`Bad Request: inline keyboard button URL '${button.url}' is invalid: Wrong HTTP URL`,
			);
	}
	return buttons;
}

function isButtonUrl(url: string): boolean {
	if (!URL.canParse(url)) return false;
	const { protocol, hostname } = new URL(url);
	return /^(https?|tg):$/.test(protocol) && hostname !== 'localhost' && hostname.includes('.');
}
