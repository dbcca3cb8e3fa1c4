/** Signals between processes over connections that break. */
import { Client } from 'pg';
import { PostgresSignals } from '../../service/store/postgres/postgres-signals';
import { createDatabase } from '../store-under-test';
import { waitUntil } from '../wait-until';

let url: string;
let drop: () => Promise<void>;
let admin: Client;
const opened: PostgresSignals[] = [];
beforeEach(async () => {
	({ url, drop } = await createDatabase());
	admin = new Client(url);
	await admin.connect();
});
afterEach(async () => {
	for (const signals of opened.splice(0)) await signals.close();
	await admin.end();
	await drop();
});

const OTHERS =
	'FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';

async function open(): Promise<{ signals: PostgresSignals; heard: string[]; lost: Error[] }> {
	const heard: string[] = [];
	const lost: Error[] = [];
	const signals = new PostgresSignals(url, {
		received: (topic) => heard.push(topic),
		missed: () => heard.push('everything'),
		onLostConnection: (error) => lost.push(error),
	});
	await signals.open();
	opened.push(signals);
	return { signals, heard, lost };
}

test('topics arrive at the others, however many and long, and not at the sender', async () => {
	const [sender, one, other] = [await open(), await open(), await open()];
	const topics = Array.from({ length: 500 }, (_, index) => `topic-${index}-${'x'.repeat(70)}`);
	for (const topic of topics) sender.signals.send(topic);
	for (const { heard } of [one, other]) {
		await waitUntil('all topics to arrive', () => heard.length === topics.length);
		expect(heard).toEqual(topics);
	}
	expect(sender.heard).toEqual([]);
});

test('when one connection broke, everybody looks: what was sent meanwhile is lost', async () => {
	const [sender, other] = [await open(), await open()];
	const { rows } = await admin.query(`SELECT pid ${OTHERS} ORDER BY backend_start`);
	await admin.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
	await waitUntil('it to be noticed', () => sender.lost.length > 0);
	sender.signals.send('lost');
	await waitUntil('everybody to look', () => other.heard.includes('everything'));
	await waitUntil('the one whose connection broke to look', () =>
		sender.heard.includes('everything'),
	);
	expect(other.lost).toEqual([]);
	sender.signals.send('later');
	await waitUntil('signals to arrive again', () => other.heard.includes('later'));
	other.signals.send('back');
	await waitUntil('signals to arrive again', () => sender.heard.includes('back'));
});

test('a connection that breaks as it is closed brings no other back', async () => {
	const { signals, lost } = await open();
	await Promise.all([signals.close(), admin.query(`SELECT pg_terminate_backend(pid) ${OTHERS}`)]);
	expect(lost).toEqual([]);
	await waitUntil(
		'no connection to be left',
		async () => (await admin.query(`SELECT 1 ${OTHERS}`)).rows.length === 0,
	);
});
