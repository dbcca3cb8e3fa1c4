import type { ButtonPress } from '../../journal/press-button';
import type { TelegramBot } from './bot';
import { pressOf } from './press';

interface Log {
	info(members: object, message: string): void;
	warn(members: object, message: string): void;
}

const WHY = {
	webhook:
		'the webhook of this Telegram bot belongs to somebody else: messages carry links only. Use a bot of its own for the journal to have chat buttons',
	other_poller:
		'somebody else polls this Telegram bot: messages carry links only. Use a bot of its own for the journal to have chat buttons',
	bad_token: 'Telegram does not accept TELEGRAM_BOT_TOKEN',
};

/** Presses of our buttons, as the polling worker takes them. */
export class TelegramButtonSource {
	#said: string | undefined;

	constructor(
		private readonly bot: TelegramBot,
		private readonly log: Log,
	) {}

	async mayListen(signal: AbortSignal): Promise<boolean> {
		// While polling works, nobody can have set a webhook: Telegram would say so.
		if (this.bot.hearing !== 'yes') await this.bot.listenIn(signal);
		const { hearing } = this.bot;
		// Another poller cannot be asked about; trying again now and then ends its poll once.
		if (hearing === 'yes' || hearing === 'unknown' || hearing === 'other_poller') return true;
		this.#say(WHY[hearing]);
		return false;
	}

	async presses(
		offset: number,
		signal: AbortSignal,
	): Promise<
		| {
				presses: Array<{ queryId: string; press: ButtonPress | undefined }>;
				nextOffset: number;
		  }
		| undefined
	> {
		const updates = await this.bot.updates(offset, signal);
		if (!updates) {
			const { hearing } = this.bot;
			if (hearing === 'webhook' || hearing === 'other_poller') this.#say(WHY[hearing]);
			return undefined;
		}
		this.#said = undefined;
		const presses = updates.presses.map((query) => ({ queryId: query.id, press: pressOf(query) }));
		return { presses, nextOffset: updates.nextOffset };
	}

	async answer(queryId: string, alert: string | undefined): Promise<void> {
		await this.bot.answer(queryId, alert);
	}

	/** Once for each reason, not at every try. */
	#say(reason: string): void {
		if (this.#said === reason) return;
		this.#said = reason;
		this.log.warn({ channel: 'telegram' }, reason);
	}
}
