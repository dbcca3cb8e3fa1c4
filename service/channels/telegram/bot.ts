import { Api, GrammyError } from 'grammy';
import type { CallbackQuery } from 'grammy/types';

export interface BotSettings {
	readonly botToken: string;
	/** Of the Bot API server, without a trailing slash. */
	readonly apiRoot: string;
}

/**
 * Whether presses of chat buttons reach us: `yes`, or who gets them instead. `unknown` until
 * Telegram has answered once.
 */
export type Hearing = 'unknown' | 'yes' | 'webhook' | 'other_poller' | 'bad_token';

export interface Updates {
	readonly presses: readonly CallbackQuery[];
	/** The offset that confirms these updates when it is asked for next. */
	readonly nextOffset: number;
}

const CALL_TIMEOUT_S = 15;
/** Shorter than the lease on polling, so that the lease is prolonged in time. */
const POLL_S = 5;
const MAX_CONFLICTS = 3;
const POLL_TIMEOUT_S = POLL_S + 3;

/** The bot's account at Telegram: what it may hear, and the calls that are not about one gate. */
export class TelegramBot {
	readonly api: Api;
	readonly #polling: Api;
	#hearing: Hearing = 'unknown';
	#conflicts = 0;

	constructor({ botToken, apiRoot }: BotSettings) {
		this.api = new Api(botToken, { apiRoot, timeoutSeconds: CALL_TIMEOUT_S });
		this.#polling = new Api(botToken, { apiRoot, timeoutSeconds: POLL_TIMEOUT_S });
	}

	/** As of the last answer of Telegram. */
	get hearing(): Hearing {
		return this.#hearing;
	}

	/**
	 * Asks Telegram whose webhook the bot has; never changes it. A bot whose webhook belongs to
	 * somebody else (n8n's Telegram Trigger) would lose it by polling.
	 * @returns what is known afterwards; when Telegram does not answer, what was known before
	 */
	async listenIn(signal?: AbortSignal): Promise<Hearing> {
		try {
			const { url } = await this.api.getWebhookInfo(signal as never);
			if (url) this.#hearing = 'webhook';
			else if (this.#hearing !== 'other_poller') this.#hearing = 'yes';
		} catch (error) {
			if (isRefusal(error, 401, 404)) this.#hearing = 'bad_token';
		}
		return this.#hearing;
	}

	/**
	 * Waits up to five seconds for button presses.
	 * @returns undefined when somebody else polls this bot or has set its webhook
	 * @throws when Telegram does not answer, or when it is too early to say who polls
	 */
	async updates(offset: number, signal: AbortSignal): Promise<Updates | undefined> {
		try {
			const updates = await this.#polling.getUpdates(
				{ offset, timeout: POLL_S, allowed_updates: ['callback_query'] },
				signal as never,
			);
			this.#conflicts = 0;
			this.#hearing = 'yes';
			return {
				presses: updates.flatMap(({ callback_query }) => callback_query ?? []),
				nextOffset: updates.reduce((next, { update_id }) => Math.max(next, update_id + 1), offset),
			};
		} catch (error) {
			if (!isRefusal(error, 409)) throw error;
			this.#conflicts++;
			if ((await this.listenIn(signal)) === 'webhook') return undefined;
			// The first ones may come from a poll of ours that ended with another process.
			if (this.#conflicts < MAX_CONFLICTS) throw error;
			this.#hearing = 'other_poller';
			return undefined;
		}
	}

	/** Ends the spinner on a pressed button. Too late is no error: the press counts all the same. */
	async answer(queryId: string, alert?: string): Promise<void> {
		try {
			await this.api.answerCallbackQuery(
				queryId,
				alert === undefined ? {} : { text: alert, show_alert: true },
			);
		} catch (error) {
			if (!(error instanceof GrammyError)) throw error;
		}
	}
}

/** Telegram answered, with one of these statuses. */
export function isRefusal(error: unknown, ...statuses: number[]): error is GrammyError {
	return error instanceof GrammyError && statuses.includes(error.error_code);
}
