import { MAX_GATES_PER_RUN, MAX_STEPS_PER_RUN } from '../../../service/domain/limits';
import type { Queries } from '../../../service/store/database';
import { openApi, type Api } from '../../api';

let api: Api;
beforeEach(async () => {
	api = await openApi();
});
afterEach(async () => await api.close());

const claim = async (step: string, runId = 'r') =>
	await api.post('/v1/steps/claim', { runId, step, input: 1 });
const openGate = async (gate: string, input: unknown = 1) =>
	await api.post('/v1/gates', { runId: 'r', gate, input, title: gate, message: 'm' });
const stepsOf = (body: { steps: Array<{ step: string }> }) => body.steps.map(({ step }) => step);

test('a run has its steps page by page in the order of their claims, its gates on the first', async () => {
	for (const step of ['e', 'd', 'c', 'b', 'a']) await claim(step);
	await claim('other', 'another run');
	await openGate('g');
	const whole = (await api.call('GET', '/v1/runs/r')).body;
	expect([stepsOf(whole), whole.nextCursor]).toEqual([['e', 'd', 'c', 'b', 'a'], null]);
	expect(whole).toMatchObject({ stepCount: 5, gateCount: 1 });
	const pages = [];
	for (let cursor = ''; ;) {
		const { body } = await api.call('GET', `/v1/runs/r?limit=2${cursor}`);
		pages.push([stepsOf(body), body.gates.length]);
		if (body.nextCursor === null) break;
		cursor = `&cursor=${body.nextCursor}`;
	}
	expect(pages).toEqual([
		[['e', 'd'], 1],
		[['c', 'b'], 0],
		[['a'], 0],
	]);
	expect((await api.call('GET', '/v1/runs/r?cursor=bm9uZQ')).status).toBe(400);
});

test('the gates of one run are a list too', async () => {
	await openGate('a');
	await openGate('b');
	await api.post('/v1/gates', { runId: 'q', gate: 'c', input: 1, title: 'c', message: '' });
	const list = async (query: string) =>
		(await api.call('GET', `/v1/gates?${query}`)).body.items.map(
			({ gate }: { gate: string }) => gate,
		);
	expect(await list('runId=r')).toEqual(['b', 'a']);
	expect(await list('runId=r&state=approved')).toEqual([]);
	expect(await list('runId=none')).toEqual([]);
});

/** The same database, telling every text that a read returned. */
function listening(database: Api['journal']['database'], texts: string[]): typeof database {
	const listen = (queries: Queries): Queries => ({
		...queries,
		get: async <Row>(sql: string, ...values: Array<string | number | null>) => {
			const row = await queries.get<Row>(sql, ...values);
			texts.push(JSON.stringify(row ?? null));
			return row;
		},
		all: async <Row>(sql: string, ...values: Array<string | number | null>) => {
			const rows = await queries.all<Row>(sql, ...values);
			texts.push(JSON.stringify(rows));
			return rows;
		},
	});
	return {
		shared: database.shared,
		now: () => database.now(),
		read: async (work) => await database.read(async (queries) => await work(listen(queries))),
		write: async (about, work) => await database.write(about, work),
		close: async () => await database.close(),
	};
}

test('lists of gates do not load what the gates ask about', async () => {
	await openGate('large', { marker: 'x'.repeat(20_000) });
	await openGate('small', { marker: 'xxxx' });
	const texts: string[] = [];
	const { journal } = api;
	Object.assign(journal, { database: listening(journal.database, texts) });
	await api.call('GET', '/v1/gates');
	await api.call('GET', '/v1/runs/r');
	expect(texts.join().length).toBeLessThan(15_000);
	const { gateId } = (await api.call('GET', '/v1/gates?limit=1')).body.items[0];
	expect((await api.call('GET', `/v1/gates/${gateId}`)).body.title).toBe('small');
});

describe('a run that is full', () => {
	const fill = async (column: string, count: number) =>
		await api.journal.database.write([{ runId: 'r' }], async (queries) => {
			await queries.run(`UPDATE runs SET ${column} = ? WHERE run_id = 'r'`, count);
		});

	test('takes its last step and no more; what it has goes on', async () => {
		const first = (await claim('first')).body;
		await fill('step_count', MAX_STEPS_PER_RUN - 1);
		expect((await claim('last')).status).toBe(200);
		const refused = await claim('one too many');
		expect(refused).toMatchObject({ status: 409, body: { code: 'run_full' } });
		expect(refused.body.detail).toContain(String(MAX_STEPS_PER_RUN));
		const many = await api.post('/v1/steps/claim-many', {
			steps: ['x', 'first'].map((step) => ({ runId: 'r', step, input: 1 })),
		});
		expect(many.body.results.map(({ body }: { body: { code: string } }) => body.code)).toEqual([
			'run_full',
			'step_in_progress',
		]);
		const { key, fencingToken } = first;
		expect((await api.post(`/v1/steps/${key}/complete`, { fencingToken })).status).toBe(200);
		expect((await claim('first')).body.outcome).toBe('replay');
		expect((await api.call('GET', '/v1/runs/r')).body.stepCount).toBe(MAX_STEPS_PER_RUN);
	});

	test('opens its last gate and no more; those it has are found', async () => {
		await openGate('first');
		await fill('gate_count', MAX_GATES_PER_RUN - 1);
		expect((await openGate('last')).status).toBe(201);
		expect(await openGate('one too many')).toMatchObject({
			status: 409,
			body: { code: 'run_full' },
		});
		expect((await openGate('first')).status).toBe(200);
	});
});
