import { auditHash, AUDIT_GENESIS } from '../../../service/domain/audit-chain';
import { GATES_DECIDED, MESSAGES_OWED } from '../../../service/journal/topics';
import { recordWakeUp, takeDueWakeUps } from '../../../service/journal/wake-up';
import { ADMIN_KEY, openApi, type Api } from '../../api';

let api: Api;
beforeEach(async () => {
	api = await openApi();
});
afterEach(async () => await api.close());

const claim = async (runId: string, step = 's', input: unknown = 1) =>
	await api.post('/v1/steps/claim', { runId, step, input });
const complete = async (key: string, fencingToken: number) =>
	await api.post(`/v1/steps/${key}/complete`, { fencingToken, result: 1 });
const cancel = async (runId: string) =>
	await api.admin('POST', `/v1/runs/${encodeURIComponent(runId)}/cancel`, {
		reason: 'not wanted',
		by: 'ops',
	});

test('whoever waits for a gate of a cancelled run, and whoever shows it, hears of it at once', async () => {
	const { signals } = api.journal;
	await claim('r');
	const heard = [GATES_DECIDED, MESSAGES_OWED].map((topic) =>
		signals.subscribe(topic).until(5_000),
	);
	await cancel('r');
	for (const ms of await Promise.all(heard)) expect(ms).toBeLessThan(4_000);
});

describe('a cancelled run is fenced', () => {
	test('every claim is refused, replays included; completing a live claim is still taken', async () => {
		const done = await claim('r', 'done');
		await complete(done.body.key, done.body.fencingToken);
		const live = await claim('r', 'live');
		expect((await cancel('r')).body).toMatchObject({
			state: 'cancelled',
			cancelled: { by: 'ops', reason: 'not wanted' },
		});
		for (const step of ['done', 'live', 'new'])
			expect(await claim('r', step)).toMatchObject({
				status: 409,
				body: { code: 'run_cancelled' },
			});
		expect((await complete(live.body.key, live.body.fencingToken)).status).toBe(200);
	});

	test('also before its first claim, and again is harmless', async () => {
		expect((await cancel('later')).status).toBe(200);
		expect((await cancel('later')).status).toBe(200);
		expect((await claim('later')).body.code).toBe('run_cancelled');
	});
});

test('an erased run leaves a tombstone and its audit, nothing else', async () => {
	const { body } = await claim('r', 's', { secret: 'x'.repeat(5_000) });
	await complete(body.key, body.fencingToken);
	expect((await api.admin('DELETE', '/v1/runs/r')).status).toBe(204);
	expect(await claim('r')).toMatchObject({ status: 410, body: { code: 'run_erased' } });
	expect(await cancel('r')).toMatchObject({ status: 410, body: { code: 'run_erased' } });
	expect((await api.call('GET', '/v1/runs/r')).status).toBe(404);
	expect((await api.call('GET', `/v1/steps/${body.key}`)).status).toBe(404);
	expect((await api.admin('GET', '/v1/audit?runId=r')).body).toContain('run.erased');
	const payloads = await api.journal.database.read(
		async (queries) => await queries.get('SELECT count(*) AS n FROM payloads'),
	);
	expect(payloads).toEqual({ n: 0 });
	expect((await api.admin('DELETE', '/v1/runs/r')).status).toBe(404);
});

test('the run that begins after an erased one has a chain of its own', async () => {
	await claim('erased');
	await api.admin('DELETE', '/v1/runs/erased');
	const erasedChain = (await api.admin('GET', '/v1/audit?runId=erased')).body;
	expect(await claim('next')).toMatchObject({ status: 200, body: { outcome: 'execute' } });
	expect((await api.admin('GET', '/v1/audit?runId=next')).body.trim().split('\n')).toHaveLength(2);
	expect((await api.admin('GET', '/v1/audit?runId=erased')).body).toBe(erasedChain);
});

test('a run is not erased from under an execution that waits for its gate', async () => {
	await api.post('/v1/gates', {
		runId: 'r',
		gate: 'g',
		input: 1,
		title: 'Go on?',
		message: '',
		resumeUrl: 'http://127.0.0.1:5678/webhook-waiting/7/durable-gate?signature=s',
	});
	const erase = async () => await api.admin('DELETE', '/v1/runs/r');
	expect(await erase()).toMatchObject({ status: 409, body: { code: 'run_awaited' } });
	await cancel('r');
	expect((await erase()).body.code).toBe('run_awaited');
	const [wakeUp] = await takeDueWakeUps(api.journal, 1);
	await recordWakeUp(api.journal, wakeUp!.waiter, { reply: 'resumed', status: 200 });
	expect((await erase()).status).toBe(204);
});

test('a run id is one percent-encoded segment', async () => {
	const runId = 'wf/order 1?#é%2F';
	await claim(runId);
	const answer = await api.call('GET', `/v1/runs/${encodeURIComponent(runId)}`);
	expect(answer.body).toMatchObject({ runId, state: 'active', steps: [{ state: 'claimed' }] });
});

test('runs are listed newest first, page by page', async () => {
	for (let index = 0; index < 5; index++) await claim(`r${index}`);
	const seen: string[] = [];
	let cursor = '';
	for (let page = 0; page < 3; page++) {
		const { body } = await api.call('GET', `/v1/runs?limit=2${cursor}`);
		seen.push(...body.items.map((run: { runId: string }) => run.runId));
		if (body.nextCursor === null) break;
		cursor = `&cursor=${body.nextCursor}`;
	}
	expect(seen).toEqual(['r4', 'r3', 'r2', 'r1', 'r0']);
	expect((await api.call('GET', '/v1/runs?cursor=bm9uZQ')).status).toBe(400);
	expect((await api.call('GET', '/v1/runs?limit=501')).status).toBe(400);
});

test('the audit is a chain without gaps, and holds neither names nor inputs', async () => {
	const first = await claim('r', 'step-name', 'private input');
	await api.post(`/v1/steps/${first.body.key}/fail`, {
		fencingToken: first.body.fencingToken,
		error: { message: 'private error' },
		verdict: 'terminal',
	});
	await cancel('r');
	const { body } = await api.admin('GET', '/v1/audit?runId=r');
	expect(body).not.toMatch(/private|step-name|not wanted|ops/);
	const events = (body as string)
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line));
	expect(events.map((event) => event.type)).toEqual([
		'run.started',
		'step.claimed',
		'step.failed',
		'run.cancelled',
	]);
	let previous = AUDIT_GENESIS;
	events.forEach(({ seq, at, type, subject, data, previousHash, hash }, index) => {
		expect(seq).toBe(index + 1);
		expect(previousHash).toBe(previous);
		expect(hash).toBe(auditHash(previous, { seq, at: Date.parse(at), type, subject, data }));
		previous = hash;
	});
});

describe('authority', () => {
	test.each([
		['GET', '/v1/audit?runId=r', undefined],
		['DELETE', '/v1/runs/r', undefined],
		['POST', '/v1/runs/r/cancel', { reason: 'r', by: 'b' }],
	])('%s %s needs the admin key', async (method, path, body) => {
		expect(await api.call(method, path, body)).toMatchObject({
			status: 403,
			body: { code: 'forbidden' },
		});
	});
});

describe('the service itself', () => {
	test('GET /v1 tells a right key from a wrong one', async () => {
		expect((await api.call('GET', '/v1')).body).toEqual({
			api: 'durable-journal',
			version: '0.0.0-test',
		});
		expect((await api.call('GET', '/v1', undefined, 'wrong')).status).toBe(401);
	});

	test.each(['/healthz', '/readyz', '/metrics', '/openapi.json'])('%s is open', async (path) => {
		expect((await api.call('GET', path, undefined, null)).status).toBe(200);
	});

	test('the OpenAPI document names every route of the contract', async () => {
		const { body } = await api.call('GET', '/openapi.json');
		expect(Object.keys(body.paths)).toEqual(
			expect.arrayContaining([
				'/v1/',
				'/v1/steps/claim',
				'/v1/steps/claim-many',
				'/v1/steps/complete-many',
				'/v1/steps/{key}/complete',
				'/v1/steps/{key}/fail',
				'/v1/steps/{key}/renew',
				'/v1/steps/{key}/resolve',
				'/v1/steps/{key}',
				'/v1/gates',
				'/v1/gates/{gateId}',
				'/v1/gates/{gateId}/decide',
				'/v1/runs',
				'/v1/runs/{runId}',
				'/v1/runs/{runId}/cancel',
				'/v1/audit',
			]),
		);
	});

	test('metrics name route patterns, never URLs', async () => {
		await api.call('GET', '/v1/runs/very-secret-run');
		const { body } = await api.call('GET', '/metrics');
		expect(body).toContain('/v1/runs/:runId');
		expect(body).not.toContain('very-secret-run');
	});

	test('a DELETE with a content type and no body is a DELETE', async () => {
		await claim('typed');
		const answer = await api.server.inject({
			method: 'DELETE',
			url: '/v1/runs/typed',
			headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
		});
		expect(answer.statusCode).toBe(204);
	});

	test('a body that is not JSON', async () => {
		const answer = await api.server.inject({
			method: 'POST',
			url: '/v1/steps/claim',
			headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'text/plain' },
			payload: '{}',
		});
		expect([answer.statusCode, answer.json().code]).toEqual([415, 'unsupported_media_type']);
	});

	test('an unknown path is a problem too', async () => {
		expect(await api.call('GET', '/v1/nothing')).toMatchObject({
			status: 404,
			body: { code: 'not_found' },
		});
	});
});
