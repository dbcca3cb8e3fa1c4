/** Jobs that share a transaction, whose statements are sent together, against the same jobs one by one. */
import fc from 'fast-check';
import { Client } from 'pg';
import type { Queries, SqlValue } from '../../service/store/database';
import { PostgresDatabase } from '../../service/store/postgres/postgres-database';
import { createDatabase } from '../store-under-test';

jest.setTimeout(60_000);

const stores: PostgresDatabase[] = [];
const admins: Client[] = [];
const drops: Array<() => Promise<void>> = [];
beforeAll(async () => {
	for (let index = 0; index < 2; index++) {
		const { url, drop } = await createDatabase();
		drops.push(drop);
		const admin = new Client(url);
		await admin.connect();
		await admin.query(
			'CREATE TABLE rows_of_jobs (job BIGINT NOT NULL, name TEXT NOT NULL, text TEXT, number BIGINT, PRIMARY KEY (job, name))',
		);
		admins.push(admin);
		stores.push(await PostgresDatabase.open(url, { now: () => 1 }));
	}
});
afterAll(async () => {
	for (const store of stores) await store.close();
	for (const admin of admins) await admin.end();
	for (const drop of drops) await drop();
});

/** In every form that `coalesce` knows, and some that it must leave alone; `job` is the job's own number. */
const STATEMENTS: Record<string, string> = {
	find: 'SELECT job, name, text, number FROM rows_of_jobs WHERE job = ? AND name = ?',
	findText: 'SELECT name, text FROM rows_of_jobs WHERE job = ? AND text = ? ORDER BY name',
	list: 'SELECT name, number FROM rows_of_jobs WHERE job = ? AND number > ? ORDER BY number DESC, name LIMIT 2',
	least: 'SELECT min(number) AS least, count(*) AS n FROM rows_of_jobs WHERE job = ? AND name <> ?',
	nested:
		'SELECT name FROM rows_of_jobs WHERE job = ? AND number = (SELECT max(number) FROM rows_of_jobs WHERE job = ?) ORDER BY name',
	locked: 'SELECT name FROM rows_of_jobs WHERE job = ? ORDER BY name FOR UPDATE SKIP LOCKED',
	insert:
		'INSERT INTO rows_of_jobs (job, name, text, number) VALUES (?, ?, ?, ?) ON CONFLICT (job, name) DO UPDATE SET text = excluded.text, number = excluded.number',
	ensure:
		'INSERT INTO rows_of_jobs (job, name, text, number) VALUES (?, ?, ?, ?) ON CONFLICT (job, name) DO NOTHING',
	set: 'UPDATE rows_of_jobs SET text = ?, number = CASE WHEN ? = 1 THEN ? ELSE number END WHERE job = ? AND name = ?',
	setAll: 'UPDATE rows_of_jobs SET number = number + ? WHERE job = ?',
	remove: 'DELETE FROM rows_of_jobs WHERE job = ? AND name = ? RETURNING text',
};

const text = fc.oneof(
	fc.constant(null),
	fc.constantFrom('', 'NULL', '{}', '{"a",b}', 'a\\b"c', "'", ' ', ',', 'x?y$1'),
	fc.string({ unit: 'grapheme', maxLength: 5 }).filter((value) => !value.includes('\0')),
);
const number = fc.oneof(fc.constant(null), fc.maxSafeInteger());
const small = fc.nat(9);
const name = fc.constantFrom('a', 'b', '{c}');

interface Step {
	readonly kind: 'ask' | 'run' | 'send';
	readonly statement: string;
	readonly values: (job: number) => SqlValue[];
}
const step: fc.Arbitrary<Step> = fc.oneof(
	...(
		[
			['ask', 'find', fc.tuple(name), (job, [n]) => [job, n]],
			['ask', 'findText', fc.tuple(text), (job, [t]) => [job, t]],
			['ask', 'list', fc.tuple(number), (job, [n]) => [job, n]],
			['ask', 'least', fc.tuple(name), (job, [n]) => [job, n]],
			['ask', 'nested', fc.tuple(), (job) => [job, job]],
			['ask', 'locked', fc.tuple(), (job) => [job]],
			['ask', 'remove', fc.tuple(name), (job, [n]) => [job, n]],
			['send', 'insert', fc.tuple(name, text, small), (job, all) => [job, ...all]],
			['run', 'ensure', fc.tuple(name, text, small), (job, all) => [job, ...all]],
			[
				'run',
				'set',
				fc.tuple(text, fc.nat(1), small, name),
				(job, [t, f, v, n]) => [t, f, v, job, n],
			],
			['run', 'setAll', fc.tuple(small), (job, [n]) => [n, job]],
		] as Array<
			[Step['kind'], string, fc.Arbitrary<SqlValue[]>, (job: number, v: SqlValue[]) => SqlValue[]]
		>
	).map(([kind, statement, values, order]) =>
		values.map((made) => ({ kind, statement, values: (job: number) => order(job, made) })),
	),
	// Must touch one row: the row is made just before.
	fc.tuple(name, text, small).map(([n, t, v]) => ({
		kind: 'send' as const,
		statement: 'set',
		values: (job: number) => [t, 1, v, job, n] as SqlValue[],
	})),
);

async function work(queries: Queries, job: number, steps: readonly Step[]): Promise<unknown[]> {
	const seen: unknown[] = [];
	for (const { kind, statement, values } of steps) {
		const sql = STATEMENTS[statement]!;
		const parameters = values(job);
		if (kind === 'ask') seen.push(await queries.all(sql, ...parameters));
		else if (kind === 'run') seen.push(await queries.run(sql, ...parameters));
		else {
			if (statement === 'set')
				queries.send(STATEMENTS.insert!, job, parameters[4]!, 'before', null);
			queries.send(sql, ...parameters);
		}
	}
	return seen;
}

test('what jobs side by side are answered and leave is what they are and do one after the other', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.array(step, { maxLength: 8 }), { minLength: 2, maxLength: 12 }),
			async (jobs) => {
				const [together, apart] = stores as [PostgresDatabase, PostgresDatabase];
				for (const admin of admins) await admin.query('TRUNCATE rows_of_jobs');
				const atOnce = await Promise.all(
					jobs.map(async (steps, job) =>
						together.write([{ runId: String(job) }], async (q) => await work(q, job, steps)),
					),
				);
				const inTurn: unknown[] = [];
				for (const [job, steps] of jobs.entries())
					inTurn.push(
						await apart.write([{ runId: String(job) }], async (q) => await work(q, job, steps)),
					);
				expect(atOnce).toEqual(inTurn);
				const [left, right] = await Promise.all(
					admins.map(async (admin) => {
						const { rows } = await admin.query('SELECT * FROM rows_of_jobs ORDER BY job, name');
						return rows;
					}),
				);
				expect(left).toEqual(right);
			},
		),
		{ numRuns: 60, seed: 11 },
	);
	const { n } = await stores[0]!.write([], async (queries) => {
		const row = await queries.get<{ n: number }>(
			"SELECT count(*) AS n FROM pg_prepared_statements WHERE statement LIKE '%AS wa' || 've (%'",
		);
		return row!;
	});
	// All that can be: the six that read, one of them locking, the one that inserts, the one that sets.
	expect(n).toBe(8);
});
