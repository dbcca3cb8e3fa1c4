/** Connections to PostgreSQL that break, hang or lead to something else, seen from inside the journal. */
import { pino } from 'pino';
import { Client } from 'pg';
import type { Database, Queries } from '../../service/store/database';
import { PostgresDatabase } from '../../service/store/postgres/postgres-database';
import { ServerClock } from '../../service/store/postgres/server-clock';
import { createDatabase } from '../store-under-test';
import { waitUntil } from '../wait-until';
import { startServerProxy, type ServerProxy } from './server-proxy';

const BUSY = { name: 'StoreBusyError', code: 'store_busy' };

let url: string;
let drop: () => Promise<void>;
let admin: Client;
const lost: Error[] = [];
let database: PostgresDatabase;
const toClose: Array<{ close(): Promise<void> }> = [];

beforeEach(async () => {
	({ url, drop } = await createDatabase());
	admin = new Client(url);
	await admin.connect();
	lost.length = 0;
	const withPassword = Object.assign(new URL(url), { password: 'the-password' }).href;
	database = await PostgresDatabase.open(withPassword, {
		onLostConnection: (error) => lost.push(error),
	});
});
afterEach(async () => {
	await database.close();
	for (const closable of toClose.splice(0).toReversed()) await closable.close();
	await admin.end();
	await drop();
});

const OTHERS =
	'FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
async function endConnections(): Promise<void> {
	await admin.query(`SELECT pg_terminate_backend(pid) ${OTHERS}`);
}
const one = async (queries: Queries) => (await queries.get<{ n: number }>('SELECT 1 AS n'))!.n;
async function expectToWork(store: Database): Promise<void> {
	expect(await store.read(one)).toBe(1);
	expect(await store.write([{ runId: 'r' }], one)).toBe(1);
}

test.each([
	['a write', (work: (queries: Queries) => Promise<unknown>) => database.write([], work)],
	['a read of one statement', (work) => database.read(work)],
	['a read of two', (work) => database.read(async (q) => [await one(q), await work(q)])],
] satisfies Array<[string, (work: (q: Queries) => Promise<unknown>) => Promise<unknown>]>)(
	'%s whose connection breaks is refused as busy, and the next one works',
	async (_, use) => {
		const broken = use(async (queries) => await queries.get('SELECT pg_sleep(30)'));
		broken.catch(() => {});
		await waitUntil('it to be under way', async () => {
			const { rows } = await admin.query(`SELECT 1 ${OTHERS} AND query LIKE '%pg_sleep%'`);
			return rows.length > 0;
		});
		await endConnections();
		await expect(broken).rejects.toMatchObject(BUSY);
		await expectToWork(database);
	},
);

test('connections that break between two uses are reported, without address and password', async () => {
	await expectToWork(database);
	await endConnections();
	await waitUntil('it to be noticed', () => lost.length > 0);
	let log = '';
	const logger = pino({}, { write: (line) => void (log += line) });
	for (const err of lost) logger.warn({ err }, 'broke');
	expect(log).toContain('terminating connection');
	expect(log).not.toContain('the-password');
	expect(log).not.toContain('connectionParameters');
	await expectToWork(database);
});

async function proxied(change?: (data: Buffer) => Buffer): Promise<ServerProxy> {
	const proxy = await startServerProxy(url, change);
	toClose.push(proxy);
	return proxy;
}

test('a server that does not answer any more holds nobody up for ever', async () => {
	const proxy = await proxied();
	const store = await PostgresDatabase.open(proxy.url, { answerWithinMs: 200 });
	toClose.push(store);
	await expectToWork(store);
	proxy.freeze();
	const refused = [
		store.read(one),
		store.write([], one),
		store.write([{ runId: 'r' }], one),
		store.read(async (queries) => [await one(queries), await one(queries)]),
	];
	for (const outcome of await Promise.allSettled(refused))
		expect(outcome).toMatchObject({ status: 'rejected', reason: BUSY });
	proxy.thaw();
	await expectToWork(store);
});

test('a host that vanishes within a transaction loses its locks before others give up waiting', async () => {
	const settings = await database.read(async (queries) =>
		queries.all<{ name: string; ms: number }>(
			"SELECT name, setting::int AS ms FROM pg_settings WHERE name LIKE '%\\_timeout' AND unit = 'ms'",
		),
	);
	const ms = Object.fromEntries(settings.map(({ name, ms: value }) => [name, value]));
	expect(ms.idle_in_transaction_session_timeout).toBeGreaterThan(0);
	expect(ms.idle_in_transaction_session_timeout).toBeLessThan(ms.lock_timeout!);
	expect(ms.lock_timeout).toBeLessThan(ms.statement_timeout!);
});

test('many reads at once that do not know the time ask for it once', async () => {
	const stale = jest.spyOn(ServerClock.prototype, 'isStale').mockReturnValue(true);
	try {
		await Promise.all(Array.from({ length: 50 }, async () => database.read(one)));
	} finally {
		stale.mockRestore();
	}
	const { rows } = await admin.query(`SELECT 1 ${OTHERS}`);
	expect(rows.length).toBeLessThanOrEqual(2);
});

test('a commit whose answer is lost is refused as busy, and not carried out a second time', async () => {
	let losing = false;
	const proxy: ServerProxy = await proxied((data) => {
		if (!losing || !data.includes('COMMIT\0')) return data;
		proxy.freeze();
		return Buffer.alloc(0);
	});
	const store = await PostgresDatabase.open(proxy.url, { answerWithinMs: 200 });
	toClose.push(store);
	let carriedOut = 0;
	const writes = Array.from({ length: 3 }, async (_, index) =>
		store.write([{ runId: String(index) }], async (queries) => {
			carriedOut++;
			queries.send(
				"INSERT INTO host_leases (name, holder, expires_at, state_json) VALUES (?, 'h', 0, '{}')",
				String(index),
			);
		}),
	);
	losing = true;
	for (const outcome of await Promise.allSettled(writes))
		expect(outcome).toMatchObject({ status: 'rejected', reason: BUSY });
	expect(carriedOut).toBe(3);
	const { rows } = await admin.query('SELECT name FROM host_leases');
	expect(rows).toHaveLength(3);
	losing = false;
	proxy.thaw();
	await expectToWork(store);
});

test('a connection pooler is refused, since it would lose settings and signals', async () => {
	// It answers the start of a connection with a process id of its own: message K.
	const proxy = await proxied((data) => {
		const at = data.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
		if (at >= 0) data.writeInt32BE(7, at + 5);
		return data;
	});
	await expect(PostgresDatabase.open(proxy.url)).rejects.toThrow(/pooler.*name the server itself/);
});
