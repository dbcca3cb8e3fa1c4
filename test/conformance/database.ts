import type { Database, Queries, RunName } from '../../service/store/database';
import { seededRandom } from '../seeded-random';

export interface OpenedStore {
	readonly database: Database;
	/** Another connection to the same store, as a second process has it; absent where only one may write. */
	readonly openAnother?: () => Promise<Database>;
	/** Called after the database was closed. */
	readonly remove?: () => Promise<void>;
}

const INSERT = 'INSERT INTO host_leases (name, holder, expires_at, state_json) VALUES (?, ?, ?, ?)';
const insert = async (queries: Queries, name: string) =>
	await queries.run(INSERT, name, 'h', 1, '{}');
/** At once, or without a word where nobody waits for the answer: never carried out. */
function expectRefused(send: () => void): void {
	try {
		send();
	} catch (error) {
		expect(error).toMatchObject({ message: 'The transaction has ended.' });
	}
}
const RUN: RunName[] = [{ runId: 'a run' }];

/** What every store must do. Run by one test file for each adapter. */
export function testDatabase(open: () => Promise<OpenedStore>): void {
	let store: OpenedStore;
	let database: Database;
	const count = async (): Promise<number> =>
		await database.read(
			async (queries) =>
				(await queries.get<{ n: number }>('SELECT count(*) AS n FROM host_leases'))!.n,
		);
	const write = async (name: string, about: RunName[] = []) =>
		await database.write(about, async (queries) => {
			await insert(queries, name);
			return name;
		});

	beforeEach(async () => {
		store = await open();
		({ database } = store);
	});
	afterEach(async () => {
		await database.close();
		await store.remove?.();
	});

	test('a write is seen by the next read', async () => {
		await write('a');
		expect(await count()).toBe(1);
	});

	test('a write ahead is seen by the next read, and one that throws keeps nothing', async () => {
		const failing = database.writeAhead(async (queries) => {
			await insert(queries, 'x');
			throw new RangeError('stop');
		});
		await expect(failing).rejects.toThrow(RangeError);
		const ahead = database.writeAhead(async (queries) => await insert(queries, 'a'));
		await Promise.all([ahead, write('b'), write('c')]);
		expect(await count()).toBe(3);
	});

	test('values come back as they went in', async () => {
		const text = 'ä\u2028😀"\\\'; --';
		const largest = Number.MAX_SAFE_INTEGER;
		await database.write([], async (queries) => {
			await queries.run(INSERT, text, '', largest, '{}');
		});
		const row = await database.read(
			async (queries) =>
				await queries.get('SELECT name, holder, expires_at FROM host_leases WHERE name = ?', text),
		);
		expect(row).toEqual({ name: text, holder: '', expires_at: largest });
	});

	test('changes are the rows that a statement touched', async () => {
		await write('a');
		await write('b');
		const changes = await database.write([], async (queries) => [
			await queries.run('UPDATE host_leases SET holder = ?', 'x'),
			await queries.run('DELETE FROM host_leases WHERE name = ?', 'none'),
			await queries.run(`${INSERT} ON CONFLICT (name) DO NOTHING`, 'a', 'h', 1, '{}'),
		]);
		expect(changes.map((one) => one.changes)).toEqual([2, 0, 0]);
	});

	test('a write that throws keeps nothing and passes its error on', async () => {
		const failing = database.write([], async (queries) => {
			await insert(queries, 'x');
			throw new RangeError('stop');
		});
		await expect(failing).rejects.toThrow(RangeError);
		expect(await count()).toBe(0);
	});

	test('what a write sent before it threw is not kept, nor what it sends afterwards', async () => {
		let late: () => void = () => {};
		const failing = database.write(RUN, async (queries) => {
			queries.send(INSERT, 'x', 'h', 1, '{}');
			late = () => queries.send(INSERT, 'y', 'h', 1, '{}');
			throw new RangeError('stop');
		});
		const neighbour = database.write(RUN, async (queries) => {
			queries.send(INSERT, 'z', 'h', 1, '{}');
		});
		await expect(failing).rejects.toThrow(RangeError);
		await neighbour;
		expectRefused(late);
		expect(await count()).toBe(1);
	});

	test('a statement that touches another number of rows than one fails its write', async () => {
		for (const name of ['a', 'b']) await write(name);
		for (const sql of [
			"UPDATE host_leases SET holder = 'x'",
			"DELETE FROM host_leases WHERE name = 'none'",
		])
			await expect(
				database.write([], async (queries) => {
					await insert(queries, 'c');
					queries.send(sql);
				}),
			).rejects.toThrow(/touched/);
		expect(await count()).toBe(2);
	});

	test('statements sent side by side do what they would do one after the other', async () => {
		const runs = Array.from({ length: 50 }, (_, index) => String(index));
		// Twice: a statement that was sent before may be sent for several at once.
		for (const round of ['a', 'b', 'c'])
			await Promise.all(
				runs.map(async (runId) =>
					database.write([{ runId }], async (queries) => {
						const name = `${round}${runId}`;
						queries.send(INSERT, name, 'first', Number(runId), '{}');
						queries.send('UPDATE host_leases SET holder = ? WHERE name = ?', `of ${runId}`, name);
						const row = await queries.get(
							'SELECT name, holder, expires_at FROM host_leases WHERE name = ?',
							name,
						);
						expect(row).toEqual({ name, holder: `of ${runId}`, expires_at: Number(runId) });
						const none = await queries.all(
							'SELECT name FROM host_leases WHERE name = ?',
							`not ${runId}`,
						);
						expect(none).toEqual([]);
					}),
				),
			);
		expect(await count()).toBe(150);
	});

	test('of many writes at once, one that throws takes no other with it', async () => {
		const writes = Array.from({ length: 40 }, async (_, index) =>
			database.write([{ runId: String(index) }], async (queries) => {
				await insert(queries, String(index));
				if (index % 2 === 1) throw new RangeError('stop');
			}),
		);
		const outcomes = await Promise.allSettled(writes);
		expect(outcomes.map((outcome) => outcome.status)).toEqual(
			outcomes.map((_, index) => (index % 2 === 1 ? 'rejected' : 'fulfilled')),
		);
		expect(await count()).toBe(20);
	});

	test('writes about the same run never interleave', async () => {
		const databases = [database, ...(store.openAnother ? [await store.openAnother()] : [])];
		let inside = 0;
		let most = 0;
		const work = async (_: unknown, index: number) =>
			await databases[index % databases.length]!.write(RUN, async (queries) => {
				most = Math.max(most, ++inside);
				await queries.get('SELECT 1');
				await queries.get('SELECT 1');
				inside--;
			});
		await Promise.all(Array.from({ length: 20 }, work));
		expect(most).toBe(1);
		await databases[1]?.close();
	});

	test('each write about a run sees what the one before left', async () => {
		const databases = [database, ...(store.openAnother ? [await store.openAnother()] : [])];
		await write('counter');
		const increment = async (_: unknown, index: number) =>
			await databases[index % databases.length]!.write(RUN, async (queries) => {
				const row = await queries.get<{ n: number }>('SELECT expires_at AS n FROM host_leases');
				await queries.run('UPDATE host_leases SET expires_at = ?', row!.n + 1);
			});
		await Promise.all(Array.from({ length: 60 }, increment));
		const row = await database.read(
			async (queries) => await queries.get('SELECT expires_at AS n FROM host_leases'),
		);
		expect(row).toEqual({ n: 61 });
		await databases[1]?.close();
	});

	test('each write about a run sees what the one before sent without waiting for it', async () => {
		const databases = [database, ...(store.openAnother ? [await store.openAnother()] : [])];
		await write('counter');
		await write('other');
		const increment = async (_: unknown, index: number) =>
			await databases[index % databases.length]!.write(RUN, async (queries) => {
				const row = await queries.get<{ n: number }>(
					"SELECT expires_at AS n FROM host_leases WHERE name = 'counter'",
				);
				for (let before = index % 3; before > 0; before--)
					queries.send('UPDATE host_leases SET holder = ? WHERE name = ?', 'h', 'other');
				queries.send('UPDATE host_leases SET expires_at = ? WHERE name = ?', row!.n + 1, 'counter');
			});
		await Promise.all(Array.from({ length: 60 }, increment));
		const row = await database.read(
			async (queries) =>
				await queries.get("SELECT expires_at AS n FROM host_leases WHERE name = 'counter'"),
		);
		expect(row).toEqual({ n: 61 });
		await databases[1]?.close();
	});

	test.each([
		['all succeed', false],
		['some throw', true],
	])('writes about some of the same runs are one after the other when %s', async (_, someThrow) => {
		const all = ['a', 'b', 'c', 'd', 'e'];
		const read = async (queries: Queries, name: string) => {
			const row = await queries.get<{ state_json: string }>(
				'SELECT state_json FROM host_leases WHERE name = ?',
				name,
			);
			return JSON.parse(row!.state_json) as number[];
		};
		for (const name of all)
			await database.write([], (queries) => queries.run(INSERT, name, '', 0, '[]'));
		const random = seededRandom(7);
		const works = Array.from({ length: 120 }, (_, index) => ({
			index,
			names: all.filter(() => random() < 0.3),
			throws: someThrow && index % 17 === 3,
		}));
		// Each appends its number to a list in every row that it is about.
		const work = async ({ index, names, throws }: (typeof works)[number]) =>
			await database.write(
				names.map((runId) => ({ runId })),
				async (queries) => {
					for (const name of names) {
						const list = JSON.stringify([...(await read(queries, name)), index]);
						queries.send('UPDATE host_leases SET expires_at = ? WHERE name = ?', index, name);
						queries.send('UPDATE host_leases SET state_json = ? WHERE name = ?', list, name);
					}
					if (throws) throw new RangeError('stop');
				},
			);
		const outcomes = await Promise.allSettled(works.map(work));
		expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(
			works.map(({ throws }) => throws),
		);
		for (const name of all) {
			const list = await database.read(async (queries) => await read(queries, name));
			const expected = works.filter(({ names, throws }) => names.includes(name) && !throws);
			expect(list.toSorted((one, other) => one - other)).toEqual(
				expected.map(({ index }) => index),
			);
		}
	});

	test('the first error of a write is its error, not what the store says of statements after it', async () => {
		await write('a');
		const twice = database.write(RUN, async (queries) => {
			queries.send("UPDATE host_leases SET holder = 'x' WHERE name = 'none'");
			await queries.get('SELECT 1');
			await queries.get('SELECT 2');
		});
		await expect(twice).rejects.toThrow(/touched/);
	});

	test('writes about several runs in any order never wait for each other in a circle', async () => {
		const databases = [database, ...(store.openAnother ? [await store.openAnother()] : [])];
		const names = ['a', 'b', 'c'].map((runId) => ({ runId }));
		const work = async (_: unknown, index: number) =>
			await databases[index % databases.length]!.write(
				index % 3 === 0 ? names : names.toReversed(),
				async (queries) => await queries.get('SELECT 1'),
			);
		await Promise.all(Array.from({ length: 60 }, work));
		await databases[1]?.close();
	});

	test('a read while writes are under way sees only what is committed, and all of one moment', async () => {
		const seen: Array<[number, number]> = [];
		const pairs = Array.from({ length: 10 }, async (_, index) =>
			database.write([], async (queries) => {
				await insert(queries, `${index}a`);
				await insert(queries, `${index}b`);
			}),
		);
		const reads = Array.from({ length: 50 }, async () => {
			const pair = await database.read(async (queries) => {
				const counted = async () =>
					(await queries.get<{ n: number }>('SELECT count(*) AS n FROM host_leases'))!.n;
				return [await counted(), await counted()] as [number, number];
			});
			seen.push(pair);
		});
		await Promise.all([...pairs, ...reads]);
		expect(seen.filter(([first, second]) => first !== second || first % 2 === 1)).toEqual([]);
	});

	test('a read that throws passes its error on, and the next one works', async () => {
		await expect(
			database.read(async () => {
				throw new RangeError('stop');
			}),
		).rejects.toThrow(RangeError);
		await expect(
			database.read(async (queries) => await queries.get('SELECT wrong FROM host_leases')),
		).rejects.toThrow(/wrong/);
		expect(await count()).toBe(0);
	});

	test('close waits for writes that were begun', async () => {
		const last = write('last');
		await database.close();
		await expect(last).resolves.toBe('last');
		store = await open();
		({ database } = store);
	});
}
