/** Approval Gate in a real n8n that asks in a Telegram chat; the Bot API is a strict local stand-in. */
import { startJournal, type Journal } from '../journal-process';
import { TelegramBotApi } from '../stand-ins/telegram-bot-api';
import { waitUntil } from '../wait-until';
import { branches, oneGate } from './gate-workflow';
import { startN8n, type N8n } from './n8n/start-n8n';

jest.setTimeout(120_000);

const TOKEN = '123456:secret-of-the-bot';
const CHAT = -1001;
const OPERATOR = { id: 11, first_name: 'Operator' };

let telegram: TelegramBotApi;
let journal: Journal;
let n8n: N8n;
let workflowId: string;

beforeAll(async () => {
	telegram = new TelegramBotApi(TOKEN, new Set([CHAT]));
	const env = { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_ROOT: await telegram.start() };
	[n8n, journal] = await Promise.all([startN8n(), startJournal({ env })]);
	const { baseUrl, apiKey } = journal;
	const credential = await n8n.client.createCredential('journalApi', { baseUrl, apiKey });
	workflowId = await n8n.client.createWorkflow(
		oneGate('telegram', credential, {
			title: 'Pay <b>7</b> & go on_?',
			message: 'x'.repeat(5_000),
			channels: ['telegram'],
			options: { sharedRunId: true, telegramChatId: String(CHAT) },
		}),
	);
});
afterAll(async () => {
	await n8n?.stop();
	await journal?.stop();
	await telegram?.stop();
});

test.each([
	['Approve', 'approved'],
	['Reject', 'notApproved'],
] as const)('the button %s leads to the branch %s', async (label, branch) => {
	const before = telegram.inChat(CHAT).length;
	const id = await n8n.client.run(workflowId, 'telegram', { order: `telegram-${label}` });
	await waitUntil('the message', () => telegram.inChat(CHAT).length > before);
	const message = telegram.inChat(CHAT)[before]!;
	expect(message.text).toContain('Pay <b>7</b> & go on_?');
	telegram.press(message, label, OPERATOR);
	const execution = await n8n.client.waitForStatus(id, ['success', 'error']);
	const { [branch]: taken, ...other } = branches(execution);
	expect(taken).toMatchObject([{ via: 'telegram', decidedBy: 'Operator (11)' }]);
	expect(Object.values(other)).toEqual([[]]);
	await waitUntil('the outcome', () => message.buttons.length === 0);
});
