import { openApi, type Api } from '../../api';

let api: Api;
beforeEach(async () => {
	api = await openApi();
});
afterEach(async () => await api.close());

const claim = async (step = 's', executionId?: string, extra: object = {}) =>
	await api.post('/v1/steps/claim', {
		runId: 'r',
		step,
		input: 1,
		...(executionId && { meta: { executionId } }),
		...extra,
	});
const complete = async (key: string, fencingToken: number) =>
	await api.post(`/v1/steps/${key}/complete`, { fencingToken, result: 1 });
const completed = async (step = 's') => {
	const { body } = await claim(step);
	await complete(body.key, body.fencingToken);
};
const settle = async (as: string, extra: object = {}, admin = true) =>
	await api[admin ? 'admin' : 'call']('POST', '/v1/runs/r/settle', { as, by: 'ops', ...extra });
const reopen = async () =>
	await api.admin('POST', '/v1/runs/r/reopen', { by: 'ops', reason: 'repaired' });
const cancel = async () =>
	await api.admin('POST', '/v1/runs/r/cancel', { by: 'ops', reason: 'not wanted' });
const read = async () => (await api.call('GET', '/v1/runs/r')).body;
const auditTypes = async () =>
	((await api.admin('GET', '/v1/audit?runId=r')).body as string)
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line).type);
const openGate = async (gate = 'g') =>
	await api.post('/v1/gates', { runId: 'r', gate, input: 1, title: 'Go on?', message: '' });

test('a run tells who ended it, why and with which result', async () => {
	await completed();
	expect(await settle('completed', { result: { total: 7 }, reason: 'all sent' })).toMatchObject({
		status: 200,
		body: { state: 'completed', settled: { by: 'ops', reason: 'all sent' } },
	});
	expect(await read()).toMatchObject({
		state: 'completed',
		result: { total: 7 },
		settled: { by: 'ops', at: '2027-03-01T10:00:00.000Z' },
		stepCount: 1,
		gateCount: 0,
	});
	expect((await auditTypes()).at(-1)).toBe('run.completed');
});

describe('completed is final', () => {
	beforeEach(async () => {
		await completed();
		await settle('completed', { result: 1 });
	});

	test('its steps are replayed', async () => {
		expect((await claim()).body).toMatchObject({ outcome: 'replay', result: 1 });
	});

	test('no new step, no new gate: run_settled', async () => {
		const refusal = { status: 409, body: { code: 'run_settled', runState: 'completed' } };
		expect(await claim('new')).toMatchObject(refusal);
		expect(await openGate()).toMatchObject(refusal);
		const many = await api.post('/v1/steps/claim-many', {
			steps: [
				{ runId: 'r', step: 's', input: 1 },
				{ runId: 'r', step: 'new', input: 1 },
			],
		});
		expect(many.body.results.map(({ status }: { status: number }) => status)).toEqual([200, 409]);
		expect((await read()).stepCount).toBe(1);
	});

	test('it fails, dies, is cancelled and reopened no more', async () => {
		for (const answer of [
			await settle('failed'),
			await settle('dead'),
			await cancel(),
			await reopen(),
		])
			expect(answer).toMatchObject({ status: 409, body: { code: 'run_settled' } });
		expect((await read()).state).toBe('completed');
	});

	test('the same again is harmless, another result is a conflict', async () => {
		const before = await auditTypes();
		expect((await settle('completed', { result: 1 })).status).toBe(200);
		expect(await settle('completed', { result: 2 })).toMatchObject({
			status: 409,
			body: { code: 'result_conflict' },
		});
		expect((await settle('completed')).status).toBe(409);
		expect(await auditTypes()).toEqual(before);
		expect((await read()).result).toBe(1);
	});
});

test('an attempt that was under way when the run ended may still report', async () => {
	const { body } = await claim('live');
	await settle('completed');
	expect((await complete(body.key, body.fencingToken)).status).toBe(200);
});

test('completing closes the open questions: no answer can have an effect any more', async () => {
	const gate = await openGate();
	await settle('completed');
	expect((await api.call('GET', `/v1/gates/${gate.body.gateId}`)).body.state).toBe('cancelled');
	expect((await openGate()).body.state).toBe('cancelled');
});

describe.each(['failed', 'dead'])('a %s run', (as) => {
	test('keeps its gates open and replays its steps', async () => {
		await completed();
		const gate = await openGate();
		await settle(as);
		expect((await api.call('GET', `/v1/gates/${gate.body.gateId}`)).body.state).toBe('open');
		expect((await claim()).body.outcome).toBe('replay');
		expect((await read()).state).toBe(as);
	});

	test('is taken up by a person, who is remembered', async () => {
		await claim();
		await settle(as);
		expect((await reopen()).body).toMatchObject({
			state: 'active',
			reopened: { by: 'ops', reason: 'repaired' },
		});
		expect((await read()).settled).toBeUndefined();
		expect((await claim('new')).body.outcome).toBe('execute');
		expect((await reopen()).status).toBe(200);
		expect((await auditTypes()).slice(-3)).toEqual([`run.${as}`, 'run.reopened', 'step.claimed']);
	});

	test('may turn out to have completed after all', async () => {
		await completed();
		await settle(as);
		expect((await settle('completed', { result: 3 }, false)).body.state).toBe('completed');
	});

	test('may be cancelled', async () => {
		await claim();
		await settle(as);
		expect((await cancel()).body.state).toBe('cancelled');
		expect((await claim()).body.code).toBe('run_cancelled');
	});

	test('goes on when a person lets one of its steps be tried again', async () => {
		const { body } = await claim();
		await api.post(`/v1/steps/${body.key}/fail`, {
			fencingToken: body.fencingToken,
			error: { message: 'no' },
			verdict: 'terminal',
		});
		await settle(as);
		await api.admin('POST', `/v1/steps/${body.key}/resolve`, {
			as: 'retry',
			by: 'ops',
			reason: 'repaired',
		});
		expect((await read()).state).toBe('active');
		expect((await claim()).body).toMatchObject({ outcome: 'execute', attempt: 2 });
	});
});

describe('a failed run is taken up by whoever goes on with it', () => {
	const failedStep = async () => {
		const { body } = await claim('s', '1');
		await api.post(`/v1/steps/${body.key}/fail`, {
			fencingToken: body.fencingToken,
			error: { message: 'no' },
			verdict: 'terminal',
		});
		await settle('failed', {}, false);
	};

	test('a retry by n8n begins a new attempt, and the run is active', async () => {
		await failedStep();
		expect((await claim('s', '2')).body).toMatchObject({ outcome: 'execute', attempt: 2 });
		expect(await read()).toMatchObject({ state: 'active', reopened: { by: 'journal' } });
		expect((await auditTypes()).slice(-3)).toEqual(['run.failed', 'run.reopened', 'step.claimed']);
	});

	test('a stored failure, a replay and a refusal leave it failed', async () => {
		await completed('done');
		await failedStep();
		expect((await claim('s', '1')).body.outcome).toBe('failed');
		expect((await claim('done', '2')).body.outcome).toBe('replay');
		expect((await read()).state).toBe('failed');
	});

	test('a new gate takes it up too', async () => {
		await failedStep();
		expect((await openGate()).status).toBe(201);
		expect((await read()).state).toBe('active');
	});
});

test('a dead run waits for a person: a new attempt is refused until it is reopened', async () => {
	await claim();
	await settle('dead');
	expect(await claim('new')).toMatchObject({
		status: 409,
		body: { code: 'run_settled', runState: 'dead' },
	});
	expect(await settle('failed')).toMatchObject({ status: 409, body: { code: 'run_settled' } });
	await reopen();
	expect((await claim('new')).status).toBe(200);
});

test('a cancelled run stays cancelled', async () => {
	await claim();
	await cancel();
	for (const answer of [await settle('completed'), await settle('failed'), await reopen()])
		expect(answer).toMatchObject({ status: 409, body: { code: 'run_cancelled' } });
});

test('a run that never began, or is gone, has no end', async () => {
	expect((await settle('completed')).status).toBe(404);
	expect((await reopen()).status).toBe(404);
	await claim();
	await api.admin('DELETE', '/v1/runs/r');
	expect((await settle('completed')).body.code).toBe('run_erased');
	expect((await reopen()).body.code).toBe('run_erased');
});

test('what does not match: a result of a failure, a number that cannot be compared', async () => {
	await claim();
	expect((await settle('failed', { result: 1 })).body).toMatchObject({
		code: 'invalid_request',
		errors: [{ pointer: '/result' }],
	});
	const huge = await api.admin(
		'POST',
		'/v1/runs/r/settle',
		'{"as":"completed","by":"ops","result":9007199254740993}',
	);
	expect(huge.body).toMatchObject({ code: 'invalid_request', errors: [{ pointer: '/result' }] });
});

test('the caller key completes and fails; giving up and reopening take the admin key', async () => {
	await claim();
	expect((await settle('dead', {}, false)).status).toBe(403);
	expect((await settle('failed', {}, false)).status).toBe(200);
	const answer = await api.call('POST', '/v1/runs/r/reopen', { by: 'b', reason: 'r' });
	expect(answer.status).toBe(403);
});

test('runs are listed by state, page by page', async () => {
	for (const runId of ['a', 'b', 'c', 'd'])
		await api.post('/v1/steps/claim', { runId, step: 's', input: 1 });
	for (const runId of ['a', 'c', 'd'])
		await api.post(`/v1/runs/${runId}/settle`, { as: 'failed', by: 'ops' });
	const first = (await api.call('GET', '/v1/runs?state=failed&limit=2')).body;
	expect(first.items.map((run: { runId: string }) => run.runId)).toEqual(['d', 'c']);
	const next = (await api.call('GET', `/v1/runs?state=failed&limit=2&cursor=${first.nextCursor}`))
		.body;
	expect(next.items.map((run: { runId: string }) => run.runId)).toEqual(['a']);
	expect((await api.call('GET', '/v1/runs?state=active')).body.items).toHaveLength(1);
	expect((await api.call('GET', '/v1/runs?state=lost')).status).toBe(400);
});
