/** Every text of every request may hold any character of JSON, or is refused; never a 500, on any store. */
import { openApi, type Api } from '../../api';

let api: Api;
beforeEach(async () => {
	api = await openApi();
});
afterEach(async () => await api.close());

/** NUL, which PostgreSQL has not; what array literals and SQL quote; half a character. */
const ODD = ['\u0000', '{"a\\",NULL}', "'?$1--", '\ud800'];

const CLAIM = {
	runId: 'r',
	step: 's',
	input: { text: 'i' },
	idempotencyKey: 'k',
	slot: 'p',
	claimId: 'c',
	meta: { workflowId: 'w', executionId: 'e', node: 'n', nodeLabel: 'l' },
};
const GATE = {
	runId: 'r',
	gate: 'g',
	input: { text: 'i' },
	title: 't',
	message: 'm',
	slot: 'p',
	resumeUrl: 'http://localhost/webhook-waiting/1',
	approvers: [{ name: 'Operator', slackId: 's', email: 'a@b' }],
	meta: { workflowId: 'w' },
};

/** The same body once for each text in it, with `odd` behind that text. */
function withOdd(value: unknown, odd: string): unknown[] {
	if (typeof value === 'string') return [value + odd];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([member, inner]) =>
		withOdd(inner, odd).map((changed) =>
			Array.isArray(value)
				? value.map((item, index) => (String(index) === member ? changed : item))
				: { ...value, [member]: changed },
		),
	);
}

async function expectNoFailure(path: string, body: unknown): Promise<void> {
	const bodies = ODD.flatMap((odd) => withOdd(body, odd));
	expect(bodies.length).toBeGreaterThanOrEqual(ODD.length);
	const failures: unknown[] = [];
	for (const changed of bodies) {
		const answer = await api.admin('POST', path, changed);
		const items: Array<{ code?: string }> = answer.body.results ?? [];
		if (answer.status >= 500 || items.some(({ code }) => code === 'internal_error'))
			failures.push([changed, answer.body]);
	}
	expect(failures).toEqual([]);
}

test('claims', async () => {
	await expectNoFailure('/v1/steps/claim', CLAIM);
	await expectNoFailure('/v1/steps/claim-many', { steps: [CLAIM] });
});

test('reports and resolutions', async () => {
	const { body } = await api.post('/v1/steps/claim', CLAIM);
	const path = `/v1/steps/${body.key}`;
	const { fencingToken } = body;
	await expectNoFailure(`${path}/fail`, {
		fencingToken,
		verdict: 'retryable',
		error: { message: 'm', code: 'c' },
	});
	await expectNoFailure(`${path}/resolve`, { as: 'failed', by: 'Operator', reason: 'r' });
	await expectNoFailure(`${path}/complete`, { fencingToken, result: 'r' });
});

test('gates and decisions', async () => {
	await expectNoFailure('/v1/gates', GATE);
	const { body } = await api.post('/v1/gates', GATE);
	await expectNoFailure(`/v1/gates/${body.gateId}/decide`, {
		decision: 'approve',
		by: 'Operator',
		comment: 'c',
	});
});

test('runs', async () => {
	await api.post('/v1/steps/claim', CLAIM);
	for (const act of ['settle', 'reopen', 'cancel'])
		await expectNoFailure(`/v1/runs/r/${act}`, {
			...(act === 'settle' && { as: 'failed' }),
			by: 'Operator',
			reason: 'r',
		});
});
