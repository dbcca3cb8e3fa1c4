/**
 * A local Bot API that refuses what Telegram's refuses: unknown chats, bad entities, long texts,
 * long callback data, link buttons on localhost, polling beside a webhook or another poller.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
	type Button,
	checkButtons,
	checkText,
	type MessagePayload,
	Refusal,
} from './telegram-rules';

export interface ShownMessage {
	chatId: number;
	messageId: number;
	threadId: number | undefined;
	/** As people read it, after parsing. */
	text: string;
	html: boolean;
	buttons: Button[];
}
export interface BotApiCall {
	method: string;
	payload: Record<string, unknown>;
	/** HTTP status of the answer; undefined while a long poll is held. */
	status: number | undefined;
}
export interface Person {
	id: number;
	first_name: string;
	last_name?: string;
	username?: string;
}

interface Poll {
	response: ServerResponse;
	offset: number;
	timer: NodeJS.Timeout;
	call: BotApiCall;
}

export class TelegramBotApi {
	readonly calls: BotApiCall[] = [];
	readonly messages: ShownMessage[] = [];
	/** Alerts and notices that answered a button, by callback query id. */
	readonly answers = new Map<string, { text: string | undefined; alert: boolean }>();
	webhookUrl = '';
	/** What the next calls of a method get instead of being carried out. */
	readonly trouble = new Map<string, Array<Refusal | 'lost answer' | 'no answer'>>();
	#updates: Array<Record<string, unknown> & { update_id: number }> = [];
	#nextUpdateId = 1;
	#nextMessageId = 1;
	#poll: Poll | undefined;
	readonly #openQueries = new Set<string>();
	readonly #server = createServer((request, response) => void this.#serve(request, response));

	/** @param chats ids of the chats this bot may write to; groups are negative */
	constructor(
		readonly token: string,
		readonly chats: Set<number>,
	) {}

	/** @returns the API root to configure */
	async start(): Promise<string> {
		await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	async stop(): Promise<void> {
		this.#endPoll((poll) => respond(poll.response, 200, { ok: true, result: [] }));
		this.#server.closeAllConnections();
		await new Promise((resolve) => this.#server.close(resolve));
	}

	/** The newest state of every message, as the chats show it. */
	inChat(chatId: number): ShownMessage[] {
		return this.messages.filter((message) => message.chatId === chatId);
	}

	callsOf(method: string): BotApiCall[] {
		return this.calls.filter((call) => call.method === method);
	}

	/** A person presses a button that a message now has. @returns the callback query's id */
	press(message: ShownMessage, label: string, from: Person): string {
		const button = message.buttons.find(({ text }) => text.includes(label));
		if (button?.callback_data === undefined) throw new Error(`There is no chat button "${label}".`);
		return this.pressData(message.chatId, message.messageId, button.callback_data, from);
	}

	/** A button press with any data, as a client that is not Telegram's could send it. */
	pressData(chatId: number, messageId: number, data: string, from: Person): string {
		const id = String(100_000 + this.#nextUpdateId);
		this.#openQueries.add(id);
		this.#updates.push({
			update_id: this.#nextUpdateId++,
			callback_query: {
				id,
				from: { is_bot: false, ...from },
				chat_instance: '1',
				data,
				message: {
					message_id: messageId,
					date: 1,
					chat: { id: chatId, type: chatId > 0 ? 'private' : 'supergroup' },
				},
			},
		});
		this.#deliverUpdates();
		return id;
	}

	/** From now on answering this button press is too late. */
	expireQuery(id: string): void {
		this.#openQueries.delete(id);
	}

	async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const [, token, method] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? [];
		const payload = await readJson(request);
		if (token === undefined) return respond(response, 404, refusal(404, 'Not Found'));
		if (token !== this.token) return respond(response, 401, refusal(401, 'Unauthorized'));
		const call: BotApiCall = { method: method!, payload, status: undefined };
		this.calls.push(call);
		const trouble = this.trouble.get(call.method)?.shift();
		if (trouble === 'no answer') return void response.destroy();
		try {
			if (trouble instanceof Refusal) throw trouble;
			if (call.method === 'getUpdates') return this.#getUpdates(call, response);
			const result = this.#carryOut(call.method, payload);
			if (trouble === 'lost answer') return void response.destroy();
			call.status = 200;
			respond(response, 200, { ok: true, result });
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			call.status = error.status;
			respond(response, error.status, refusal(error.status, error.description, error.parameters));
		}
	}

	#carryOut(method: string, payload: Record<string, unknown>): unknown {
		switch (method) {
			case 'getMe':
				return { id: 42, is_bot: true, first_name: 'Journal', username: 'journal_bot' };
			case 'getWebhookInfo':
				return { url: this.webhookUrl, has_custom_certificate: false, pending_update_count: 0 };
			case 'sendMessage':
				return this.#sendMessage(payload);
			case 'editMessageText':
				return this.#editMessageText(payload);
			case 'answerCallbackQuery':
				return this.#answerCallbackQuery(payload);
			default:
				throw new Refusal(404, 'Not Found');
		}
	}

	#sendMessage(payload: Record<string, unknown>): unknown {
		const chatId = Number(payload['chat_id']);
		if (!this.chats.has(chatId)) throw new Refusal(400, 'Bad Request: chat not found');
		const message: ShownMessage = {
			chatId,
			messageId: this.#nextMessageId++,
			threadId: payload['message_thread_id'] as number | undefined,
			text: checkText(payload as MessagePayload),
			html: payload['parse_mode'] === 'HTML',
			buttons: checkButtons(payload as MessagePayload),
		};
		this.messages.push(message);
		return asResult(message);
	}

	#editMessageText(payload: Record<string, unknown>): unknown {
		const message = this.messages.find(
			({ chatId, messageId }) =>
				chatId === Number(payload['chat_id']) && messageId === payload['message_id'],
		);
		if (!message) throw new Refusal(400, 'Bad Request: message to edit not found');
		const text = checkText(payload as MessagePayload);
		const buttons = checkButtons(payload as MessagePayload);
		if (text === message.text && JSON.stringify(buttons) === JSON.stringify(message.buttons))
			throw new Refusal(400, 'Bad Request: message is not modified');
		Object.assign(message, { text, buttons, html: payload['parse_mode'] === 'HTML' });
		return asResult(message);
	}

	#answerCallbackQuery(payload: Record<string, unknown>): true {
		const id = String(payload['callback_query_id']);
		const text = payload['text'] as string | undefined;
		if (!this.#openQueries.delete(id))
			throw new Refusal(
				400,
				'Bad Request: query is too old and response timeout expired or query ID is invalid',
			);
		if ((text?.length ?? 0) > 200) throw new Refusal(400, 'Bad Request: MESSAGE_TOO_LONG');
		this.answers.set(id, { text, alert: payload['show_alert'] === true });
		return true;
	}

	#getUpdates(call: BotApiCall, response: ServerResponse): void {
		if (this.webhookUrl !== '')
			throw new Refusal(
				409,
				"Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
			);
		this.#endPoll((poll) => {
			poll.call.status = 409;
			const text = 'Conflict: terminated by other getUpdates request';
			respond(poll.response, 409, refusal(409, text));
		});
		const { offset = 0, timeout = 0 } = call.payload as { offset?: number; timeout?: number };
		this.#updates = this.#updates.filter(({ update_id }) => update_id >= offset);
		const timer = setTimeout(() => this.#answerPoll([]), timeout * 1000);
		this.#poll = { response, offset, timer, call };
		response.on('close', () => {
			if (this.#poll?.response === response) this.#endPoll(() => {});
		});
		this.#deliverUpdates();
	}

	#deliverUpdates(): void {
		if (this.#poll && this.#updates.length > 0) this.#answerPoll(this.#updates);
	}

	#answerPoll(result: unknown[]): void {
		this.#endPoll((poll) => {
			poll.call.status = 200;
			respond(poll.response, 200, { ok: true, result });
		});
	}

	#endPoll(answer: (poll: Poll) => void): void {
		const poll = this.#poll;
		this.#poll = undefined;
		if (!poll) return;
		clearTimeout(poll.timer);
		answer(poll);
	}
}

function asResult({ chatId, messageId, text }: ShownMessage): unknown {
	const chat = { id: chatId, type: chatId > 0 ? 'private' : 'supergroup' };
	return { message_id: messageId, date: 1, chat, text };
}

function refusal(error_code: number, description: string, parameters?: object): object {
	return { ok: false, error_code, description, ...(parameters && { parameters }) };
}

function respond(response: ServerResponse, status: number, body: object): void {
	response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const text = Buffer.concat(chunks).toString('utf8');
	return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}
