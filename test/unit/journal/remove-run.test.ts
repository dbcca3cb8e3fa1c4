/** A run that is gone is removed in transactions of bounded size, and nobody sees what is left of it. */
import { expireLeases } from '../../../service/journal/expire-leases';
import { pruneRuns, type Retention } from '../../../service/journal/prune-runs';
import { buryRun } from '../../../service/journal/remove-run';
import { findRun } from '../../../service/store/runs';
import { openApi, type Api } from '../../api';
import { rowsIn, tablesInUse } from './rows-of-runs';

const DAY = 86_400_000;
const RETENTION: Retention = { runMs: 30 * DAY, auditMs: 365 * DAY };
const FOR_EVER: Retention = { runMs: undefined, auditMs: undefined };

let api: Api;
beforeEach(async () => {
	api = await openApi();
});
afterEach(async () => await api.close());

const prune = async (retention = RETENTION, goOn = async () => true) =>
	await pruneRuns(api.journal, retention, { runsPruned: 0, tombstonesRemoved: 0 }, goOn);
const claim = async (runId: string, step = 's') =>
	await api.post('/v1/steps/claim', { runId, step, input: 1 });
const complete = async ({ key, fencingToken }: { key: string; fencingToken: number }) =>
	await api.post(`/v1/steps/${key}/complete`, { fencingToken, result: 1 });
const isThere = async (runId: string) =>
	(await api.call('GET', `/v1/runs/${runId}`)).status === 200;

describe('a run of many steps', () => {
	const STEPS = 350;
	const SLICE = 100;
	let keys: string[];
	const begin = async (leaseMs = 60_000) => {
		const steps = Array.from({ length: STEPS }, (_, index) => ({
			runId: 'r',
			step: `s${index}`,
			input: index,
			slot: `w/n#0.${index}`,
			leaseMs,
		}));
		const { results } = (await api.post('/v1/steps/claim-many', { steps })).body;
		keys = results.map(({ body }: { body: { key: string } }) => body.key);
		return results.map(({ body }: { body: { key: string; fencingToken: number } }) => body);
	};
	const finish = async (claims: Array<{ key: string; fencingToken: number }>) =>
		await api.post('/v1/steps/complete-many', {
			steps: claims.map(({ key, fencingToken }) => ({ key, fencingToken, result: 1 })),
		});
	const expectGone = async () => {
		expect((await claim('r')).body.code).toBe('run_pruned');
		expect(await isThere('r')).toBe(false);
		expect((await api.call('GET', '/v1/runs')).body.items).toEqual([]);
		for (const key of [keys[0]!, keys[200]!, keys.at(-1)!]) {
			expect((await api.call('GET', `/v1/steps/${key}`)).status).toBe(404);
			expect((await complete({ key, fencingToken: 1 })).status).toBe(404);
		}
	};

	test('goes in transactions of bounded size, and is gone for everybody from the first on', async () => {
		await finish(await begin());
		api.clock.advance(31 * DAY);
		const left: number[] = [];
		await prune(RETENTION, async () => {
			const steps = await rowsIn(api.journal.database, 'steps');
			left.push(steps);
			if (steps < STEPS) await expectGone();
			return true;
		});
		expect(left).toEqual([STEPS, STEPS - SLICE, STEPS - 2 * SLICE, STEPS - 3 * SLICE]);
		expect(await tablesInUse(api.journal.database)).toEqual([]);
	});

	test.each([1, 2, 3])(
		'cut short after transaction %i, it is finished later',
		async (transactions) => {
			await finish(await begin());
			api.clock.advance(31 * DAY);
			let turns = 0;
			await prune(RETENTION, async () => ++turns <= transactions);
			await expectGone();
			expect(await rowsIn(api.journal.database, 'steps')).toBe(STEPS - transactions * SLICE);
			await prune(FOR_EVER);
			expect(await tablesInUse(api.journal.database)).toEqual([]);
			await expectGone();
		},
	);

	test('what is left of an erased one is no work for anybody', async () => {
		await begin(1_000);
		await api.journal.database.write([{ runId: 'r' }], async (queries) => {
			await buryRun(queries, (await findRun(queries, 'default', 'r'))!, 'erased');
		});
		expect(await rowsIn(api.journal.database, 'steps')).toBe(STEPS - SLICE);
		api.clock.advance(2_000);
		expect(await expireLeases(api.journal)).toBeUndefined();
		expect((await api.call('GET', '/v1/steps?state=in_doubt')).body.items).toEqual([]);
		expect((await claim('r')).body.code).toBe('run_erased');
		await prune(FOR_EVER);
		expect(await tablesInUse(api.journal.database)).toEqual([]);
	});
});

test('large results go a few a transaction, however few steps they are of', async () => {
	const result = { text: 'x'.repeat(3 * 1024 * 1024) };
	for (let index = 0; index < 5; index++) {
		const { key, fencingToken } = (await claim('r', `s${index}`)).body;
		await api.post(`/v1/steps/${key}/complete`, { fencingToken, result });
	}
	api.clock.advance(31 * DAY);
	const left: number[] = [];
	await prune(RETENTION, async () => left.push(await rowsIn(api.journal.database, 'steps')) > 0);
	expect(left).toEqual([5, 3, 1]);
	expect(await tablesInUse(api.journal.database)).toEqual([]);
});

test('erasing a run of many steps returns when all of it is gone', async () => {
	const steps = Array.from({ length: 250 }, (_, index) => ({
		runId: 'r',
		step: `${index}`,
		input: 1,
	}));
	await api.post('/v1/steps/claim-many', { steps });
	expect((await api.admin('DELETE', '/v1/runs/r')).status).toBe(204);
	expect(await tablesInUse(api.journal.database)).toEqual([]);
});
