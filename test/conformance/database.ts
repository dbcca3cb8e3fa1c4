import type { Database } from '../../service/store/database';

/** What every store must do. Run by one test file for each adapter. */
export function testDatabase(open: () => Promise<Database>): void {
	let database: Database;
	const count = async (): Promise<number> =>
		await database.read(
			async (queries) =>
				(await queries.get<{ n: number }>('SELECT count(*) AS n FROM host_leases'))!.n,
		);
	const insert = async (name: string) =>
		await database.write([], async (queries) => {
			await queries.run(
				'INSERT INTO host_leases (name, holder, expires_at, state_json) VALUES (?, ?, ?, ?)',
				name,
				'h',
				1,
				'{}',
			);
			return name;
		});

	beforeEach(async () => {
		database = await open();
	});
	afterEach(async () => await database.close());

	test('a write is seen by the next read', async () => {
		await insert('a');
		expect(await count()).toBe(1);
	});

	test('a write that throws keeps nothing and passes its error on', async () => {
		const failing = database.write([], async (queries) => {
			await queries.run(
				"INSERT INTO host_leases (name, holder, expires_at, state_json) VALUES ('x', 'h', 1, '{}')",
			);
			throw new RangeError('stop');
		});
		await expect(failing).rejects.toThrow(RangeError);
		expect(await count()).toBe(0);
	});

	test('of many writes at once, one that throws takes no other with it', async () => {
		const writes = Array.from({ length: 40 }, async (_, index) => await insert(String(index % 20)));
		const outcomes = await Promise.allSettled(writes);
		expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(20);
		expect(await count()).toBe(20);
	});

	test('writes never interleave', async () => {
		let inside = 0;
		let most = 0;
		const work = async () =>
			await database.write([], async (queries) => {
				most = Math.max(most, ++inside);
				await queries.get('SELECT 1');
				await queries.get('SELECT 1');
				inside--;
			});
		await Promise.all(Array.from({ length: 20 }, work));
		expect(most).toBe(1);
	});

	test('a read while writes are under way sees only what is committed', async () => {
		const seen: number[] = [];
		const pairs = Array.from({ length: 10 }, async (_, index) =>
			database.write([], async (queries) => {
				for (const half of ['a', 'b'])
					await queries.run(
						'INSERT INTO host_leases (name, holder, expires_at, state_json) VALUES (?, ?, ?, ?)',
						`${index}${half}`,
						'h',
						1,
						'{}',
					);
			}),
		);
		const reads = Array.from({ length: 50 }, async () => seen.push(await count()));
		await Promise.all([...pairs, ...reads]);
		expect(seen.every((n) => n % 2 === 0)).toBe(true);
	});

	test('close waits for writes that were begun', async () => {
		const write = insert('last');
		await database.close();
		await expect(write).resolves.toBe('last');
		database = await open();
	});
}
