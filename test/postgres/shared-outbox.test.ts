/** What two journals on one PostgreSQL owe to chats and executions is sent once, whoever sends it. */
import { createDatabase } from '../store-under-test';
import { startJournal, type Journal } from '../journal-process';
import { startResumeUrls, type ResumeUrls } from '../stand-ins/resume-urls';
import { TelegramBotApi } from '../stand-ins/telegram-bot-api';
import { waitUntil } from '../wait-until';

jest.setTimeout(90_000);

const TOKEN = '123456:secret-of-the-bot';
const GROUP = -1001;
const OPERATOR = { id: 11, first_name: 'Operator', username: 'operator' };
const GATES = 30;

let drop: () => Promise<void>;
let journals: Journal[] = [];
let telegram: TelegramBotApi;
let executions: ResumeUrls;
beforeAll(async () => {
	const made = await createDatabase();
	drop = made.drop;
	telegram = new TelegramBotApi(TOKEN, new Set([GROUP]));
	executions = await startResumeUrls(() => 'resumed');
	const env = {
		JOURNAL_API_KEY: 'api-key-of-both-journals',
		JOURNAL_ADMIN_KEY: 'admin-key-of-both-journals',
		JOURNAL_SECRET: 'a secret of both, long enough',
		TELEGRAM_BOT_TOKEN: TOKEN,
		TELEGRAM_API_ROOT: await telegram.start(),
		TELEGRAM_CHAT_ID: String(GROUP),
	};
	journals = await Promise.all(
		[1, 2].map(async () => await startJournal({ database: made.url, env })),
	);
});
afterAll(async () => {
	await Promise.all(journals.map(async (journal) => await journal.stop()));
	await telegram?.stop();
	await executions?.close();
	await drop?.();
});

const calls = (method: string) => telegram.calls.filter((call) => call.method === method).length;

test('each gate is shown once, decided by button once, its outcome shown once, its execution woken once', async () => {
	const open = async (index: number) =>
		await journals[index % 2]!.request('POST', '/v1/gates', {
			runId: `order-${index}`,
			gate: 'approve',
			input: index,
			title: `Order ${index}`,
			message: 'M',
			channels: ['telegram'],
			resumeUrl: `http://127.0.0.1:${executions.port}/webhook-waiting/${index}?signature=s`,
		});
	const opened = await Promise.all(Array.from({ length: GATES }, async (_, index) => open(index)));
	for (const { status } of opened) expect(status).toBe(201);
	await waitUntil('every gate to be shown', () => telegram.inChat(GROUP).length >= GATES);
	for (const message of telegram.inChat(GROUP)) telegram.press(message, 'Approve', OPERATOR);
	await waitUntil(
		'every outcome to be shown',
		() => telegram.inChat(GROUP).every(({ buttons }) => buttons.length === 0),
		{ timeoutMs: 60_000 },
	);
	await waitUntil('every execution to be woken', async () => {
		const gates = await Promise.all(
			opened.map(async ({ body }) => journals[0]!.request('GET', `/v1/gates/${body.gateId}`)),
		);
		return gates.every(({ body }) => body.wake?.state === 'done');
	});
	expect(telegram.inChat(GROUP)).toHaveLength(GATES);
	expect([calls('sendMessage'), calls('editMessageText')]).toEqual([GATES, GATES]);
	expect(executions.calls.map(({ url }) => url).toSorted()).toEqual(
		[...new Set(executions.calls.map(({ url }) => url))].toSorted(),
	);
	expect(executions.calls).toHaveLength(GATES);
});
