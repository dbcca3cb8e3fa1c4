import { startJournal, type Journal, type JournalOptions } from '../journal-process';
import { TelegramBotApi, type ShownMessage } from '../stand-ins/telegram-bot-api';
import { Refusal } from '../stand-ins/telegram-rules';
import { waitUntil } from '../wait-until';

const TOKEN = '123456:secret-of-the-bot';
const GROUP = -1001;
const OPERATOR = { id: 11, first_name: 'Operator', username: 'operator' };
const DEPUTY = { id: 12, first_name: 'Deputy' };
const PUBLIC = 'https://journal.example.com/durable';

let telegram: TelegramBotApi;
let apiRoot: string;
let journal: Journal | undefined;
beforeEach(async () => {
	telegram = new TelegramBotApi(TOKEN, new Set([GROUP, OPERATOR.id, DEPUTY.id]));
	apiRoot = await telegram.start();
});
afterEach(async () => {
	await journal?.stop();
	journal = undefined;
	await telegram.stop();
});

const start = async (env: Record<string, string> = {}, options: JournalOptions = {}) => {
	journal = await startJournal({
		...options,
		env: {
			TELEGRAM_BOT_TOKEN: TOKEN,
			TELEGRAM_API_ROOT: apiRoot,
			TELEGRAM_CHAT_ID: String(GROUP),
			...env,
		},
	});
	return journal;
};
const GATE = {
	runId: 'order-1',
	gate: 'approve',
	input: { amount: 490 },
	title: 'Send <invoice> & mail?',
	message: 'For _Acme',
	channels: ['telegram'],
};
const tryOpen = async (members: object = {}) =>
	await journal!.request('POST', '/v1/gates', { ...GATE, ...members });
const open = async (members: object = {}): Promise<string> => {
	const answer = await tryOpen(members);
	expect(answer.status).toBe(201);
	return answer.body.gateId;
};
const read = async (gateId: string) => (await journal!.request('GET', `/v1/gates/${gateId}`)).body;
const messageIn = async (chatId: number, count = 1): Promise<ShownMessage> => {
	await waitUntil(`message ${count} in ${chatId}`, () => telegram.inChat(chatId).length >= count);
	return telegram.inChat(chatId)[count - 1]!;
};
const outcomeOn = async (message: ShownMessage) => {
	await waitUntil('the outcome', () => message.buttons.length === 0);
	return message.text;
};
const decided = async (gateId: string) =>
	await waitUntil('the decision', async () => (await read(gateId)).decision);

test('approve by button: answered first, decided once, and the message shows it without buttons', async () => {
	await start();
	const gateId = await open();
	const message = await messageIn(GROUP);
	expect(message.html).toBe(true);
	expect(message.text).toContain('Send <invoice> & mail?\n\nFor _Acme\n\namount: 490');
	expect(message.buttons.map(({ text }) => text)).toEqual(['✅ Approve', '❌ Reject']);
	const query = telegram.press(message, 'Approve', OPERATOR);
	expect(await decided(gateId)).toMatchObject({
		decision: 'approve',
		via: 'telegram',
		by: 'Operator (@operator)',
	});
	const text = await outcomeOn(message);
	expect(text).toContain('✅ Approved\nDecided by Operator (@operator) via Telegram');
	expect(telegram.answers.get(query)).toEqual({ text: undefined, alert: false });
	const methods = telegram.calls.map(({ method }) => method);
	expect(methods.indexOf('answerCallbackQuery')).toBeLessThan(methods.indexOf('editMessageText'));
	expect(telegram.callsOf('answerCallbackQuery')).toHaveLength(1);
	expect(telegram.callsOf('sendMessage')).toHaveLength(1);
	expect(journal!.log()).not.toContain(TOKEN);
});

test('opening again sends nothing more', async () => {
	await start();
	await open();
	const message = await messageIn(GROUP);
	expect((await tryOpen()).status).toBe(200);
	telegram.press(message, 'Reject', OPERATOR);
	await outcomeOn(message);
	expect((await tryOpen()).body.state).toBe('rejected');
	await open({ gate: 'next' });
	await messageIn(GROUP, 2);
	expect(telegram.callsOf('sendMessage')).toHaveLength(2);
});

test('approvers get it in person; only they may press; every chat shows the outcome', async () => {
	await start();
	const approvers = [
		{ name: 'Operator A', telegramId: OPERATOR.id },
		{ name: 'Deputy B', telegramId: DEPUTY.id },
	];
	const gateId = await open({ approvers });
	const [toAna, toBo] = [await messageIn(OPERATOR.id), await messageIn(DEPUTY.id)];
	expect(telegram.inChat(GROUP)).toHaveLength(0);
	const stranger = telegram.press(toAna, 'Approve', { id: 99, first_name: 'Eve' });
	await waitUntil('the refusal', () => telegram.answers.has(stranger));
	expect(telegram.answers.get(stranger)).toMatchObject({ alert: true });
	expect((await read(gateId)).state).toBe('open');
	telegram.press(toBo, 'Reject', DEPUTY);
	for (const message of [toAna, toBo])
		expect(await outcomeOn(message)).toContain('❌ Rejected\nDecided by Deputy B via Telegram');
});

test('a press from another chat, with forged data, or for another gate decides nothing', async () => {
	await start();
	const gateId = await open();
	const otherId = await open({
		gate: 'other',
		channels: [{ type: 'telegram', to: String(DEPUTY.id) }],
	});
	const message = await messageIn(GROUP);
	const other = await messageIn(DEPUTY.id);
	const data = message.buttons[0]!.callback_data!;
	const queries = [
		telegram.pressData(DEPUTY.id, other.messageId, data, DEPUTY),
		telegram.pressData(GROUP, message.messageId, 'a.AAAAAAAAAAAAAAAA', OPERATOR),
		telegram.pressData(GROUP, message.messageId, 'whatever', OPERATOR),
	];
	for (const query of queries) {
		await waitUntil('an answer', () => telegram.answers.has(query));
		expect(telegram.answers.get(query)!.text).toContain('not known');
	}
	expect((await read(gateId)).state).toBe('open');
	expect((await read(otherId)).state).toBe('open');
});

test('a late press tells what stands; that its answer comes too late is no error', async () => {
	await start();
	const gateId = await open();
	const message = await messageIn(GROUP);
	const { messageId } = message;
	const data = message.buttons[1]!.callback_data!;
	const admin = { decision: 'approve', by: 'Boss' };
	await journal!.admin('POST', `/v1/gates/${gateId}/decide`, admin);
	await outcomeOn(message);
	const late = telegram.pressData(GROUP, messageId, data, DEPUTY);
	await waitUntil('an answer', () => telegram.answers.has(late));
	expect(telegram.answers.get(late)!.text).toMatch(/^Approved. Decided by Boss via the API/);
	const tooLate = telegram.pressData(GROUP, messageId, data, DEPUTY);
	telegram.expireQuery(tooLate);
	await waitUntil(
		'the answer that Telegram refuses',
		() => telegram.callsOf('answerCallbackQuery').at(-1)?.status === 400,
	);
	const next = await open({ gate: 'next' });
	telegram.press(await messageIn(GROUP, 2), 'Approve', DEPUTY);
	expect(await decided(next)).toMatchObject({ by: 'Deputy (12)' });
	expect((await read(gateId)).decision).toMatchObject({ by: 'Boss' });
});

test('entities that Telegram does not take: once more as plain text, with its buttons', async () => {
	await start();
	telegram.trouble.set('sendMessage', [new Refusal(400, "Bad Request: can't parse entities")]);
	await open();
	const message = await messageIn(GROUP);
	expect(message).toMatchObject({ html: false, buttons: [{}, {}] });
	expect(message.text).toContain('Send <invoice> & mail?');
	expect(telegram.callsOf('sendMessage')).toHaveLength(2);
});

test('a text of 60,000 characters arrives shortened, with buttons and the link to the whole', async () => {
	await start({ JOURNAL_PUBLIC_URL: PUBLIC });
	await open({ message: '<&> '.repeat(15_000) });
	const message = await messageIn(GROUP);
	expect(message.text.length).toBeLessThanOrEqual(4096);
	expect(message.text).toContain('This message is shortened: the whole text is behind the link.');
	expect(message.buttons.map(({ text }) => text)).toEqual(['✅ Approve', '❌ Reject', 'Open']);
	const { url } = message.buttons[2]!;
	expect(url).toMatch(/^https:\/\/journal\.example\.com\/durable\/gates\/[\w.-]+\.show\./);
});

test('told to be quiet: nothing is sent before the time that Telegram named', async () => {
	await start();
	const tooMany = new Refusal(429, 'Too Many Requests: retry after 1', { retry_after: 1 });
	telegram.trouble.set('sendMessage', [tooMany]);
	const before = Date.now();
	await open();
	await messageIn(GROUP);
	expect(Date.now() - before).toBeGreaterThanOrEqual(1_000);
	expect(telegram.callsOf('sendMessage')).toHaveLength(2);
});

test('a group that became a supergroup is found under its new id', async () => {
	await start({ TELEGRAM_CHAT_ID: '-7' });
	const moved = new Refusal(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
		migrate_to_chat_id: GROUP,
	});
	telegram.trouble.set('sendMessage', [moved]);
	const gateId = await open();
	telegram.press(await messageIn(GROUP), 'Approve', OPERATOR);
	expect(await decided(gateId)).toMatchObject({ decision: 'approve' });
});

test('an answer that is lost: shown twice, decided once, and the pressed message shows it', async () => {
	await start();
	telegram.trouble.set('sendMessage', ['lost answer']);
	const gateId = await open();
	const second = await messageIn(GROUP, 2);
	const first = telegram.inChat(GROUP)[0]!;
	telegram.press(first, 'Approve', OPERATOR);
	await decided(gateId);
	await outcomeOn(first);
	if (second.buttons.length > 0) telegram.press(second, 'Reject', DEPUTY);
	expect(await outcomeOn(second)).toContain('Approved');
	expect((await read(gateId)).decisions).toHaveLength(1);
});

test("a bot whose webhook is somebody else's: never polled, links only, and said so", async () => {
	telegram.webhookUrl = 'https://n8n.example.com/webhook/1';
	await start({ JOURNAL_PUBLIC_URL: PUBLIC });
	await open({ channels: [{ type: 'telegram', to: String(OPERATOR.id) }] });
	const message = await messageIn(OPERATOR.id);
	expect(message.buttons.map(({ text }) => text)).toEqual(['Open']);
	expect(message.buttons[0]!.url).toContain('.link.');
	expect(telegram.callsOf('getUpdates')).toHaveLength(0);
	expect(telegram.webhookUrl).not.toBe('');
	await waitUntil('the log to say so', () => journal!.log().includes('belongs to somebody else'));
});

test.each([
	['not configured', { TELEGRAM_BOT_TOKEN: '' }, {}, 'TELEGRAM_BOT_TOKEN is not set'],
	['a token that Telegram refuses', { TELEGRAM_BOT_TOKEN: '1:x' }, {}, 'does not accept'],
	['no chat', { TELEGRAM_CHAT_ID: '' }, {}, 'TELEGRAM_CHAT_ID'],
	['approvers without an id', {}, { approvers: [{ name: 'Operator' }] }, 'telegramId'],
	['another channel', {}, { channels: ['slack'] }, 'Slack'],
])('refused before anything is stored: %s', async (_name, env, members, why) => {
	await start(env);
	const answer = await tryOpen(members);
	expect(answer).toMatchObject({ status: 422, body: { code: 'channel_unavailable' } });
	expect(answer.body.detail).toContain(why);
	expect((await journal!.request('GET', '/v1/gates')).body.items).toEqual([]);
});

test('neither heard nor reachable is refused with both reasons', async () => {
	telegram.webhookUrl = 'https://n8n.example.com/webhook/1';
	await start();
	const answer = await tryOpen();
	expect(answer).toMatchObject({ status: 422, body: { code: 'channel_unavailable' } });
	expect(answer.body.detail).toContain('webhook');
	expect(answer.body.detail).toContain('loopback');
});

test('owed messages survive a kill; presses made meanwhile are heard after it', async () => {
	await start();
	telegram.trouble.set(
		'sendMessage',
		Array.from({ length: 50 }, () => 'no answer' as const),
	);
	const gateId = await open();
	await waitUntil('a try', () => telegram.callsOf('sendMessage').length > 0);
	await journal!.kill('SIGKILL');
	telegram.trouble.clear();
	await journal!.restart();
	const message = await messageIn(GROUP);
	await journal!.kill('SIGKILL');
	telegram.press(message, 'Approve', OPERATOR);
	await journal!.restart();
	expect(await decided(gateId)).toMatchObject({ decision: 'approve', by: 'Operator (@operator)' });
	expect(await outcomeOn(message)).toContain('Approved');
}, 60_000);
