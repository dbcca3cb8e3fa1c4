import { AUDIT_GENESIS } from '../../../service/domain/audit-chain';
import { expireLeases } from '../../../service/journal/expire-leases';
import { pruneRuns, type Retention } from '../../../service/journal/prune-runs';
import { recordWakeUp, takeDueWakeUps } from '../../../service/journal/wake-up';
import { openApi, type Api } from '../../api';
import { HOLDS_RUNS, rowsIn, tablesInUse } from './rows-of-runs';

const DAY = 86_400_000;
const RETENTION: Retention = { runMs: 30 * DAY, auditMs: 365 * DAY };
const FOR_EVER: Retention = { runMs: undefined, auditMs: undefined };

let api: Api;
beforeEach(async () => {
	api = await openApi();
});
afterEach(async () => await api.close());

const counts = { runsPruned: 0, tombstonesRemoved: 0 };
beforeEach(() => Object.assign(counts, { runsPruned: 0, tombstonesRemoved: 0 }));
const prune = async (retention = RETENTION, goOn = async () => true) =>
	await pruneRuns(api.journal, retention, counts, goOn);

const claim = async (runId: string, step = 's', extra: object = {}) =>
	await api.post('/v1/steps/claim', { runId, step, input: 1, ...extra });
const complete = async ({ key, fencingToken }: { key: string; fencingToken: number }, result = 1) =>
	await api.post(`/v1/steps/${key}/complete`, { fencingToken, result });
const fail = async (
	{ key, fencingToken }: { key: string; fencingToken: number },
	verdict: string,
) => await api.post(`/v1/steps/${key}/fail`, { fencingToken, error: { message: 'no' }, verdict });
const completedRun = async (runId: string) => void (await complete((await claim(runId)).body));
const openGate = async (runId: string) =>
	await api.post('/v1/gates', {
		runId,
		gate: 'g',
		input: { text: 'x'.repeat(5_000) },
		title: 'Go on?',
		message: 'm'.repeat(5_000),
		channels: ['telegram'],
		deadline: { in: 'P400D' },
		resumeUrl: 'http://127.0.0.1:5678/webhook-waiting/7/durable-gate?signature=s',
	});
const decide = async (gateId: string) =>
	await api.admin('POST', `/v1/gates/${gateId}/decide`, { decision: 'approve', by: 'ops' });
const isThere = async (runId: string) =>
	(await api.call('GET', `/v1/runs/${runId}`)).status === 200;

test('an old run goes whole: a tombstone and the audit stay, nothing else', async () => {
	const large = { text: 'x'.repeat(300_000) };
	const step = (await claim('r', 's', { slot: 'w/n#0.0', input: large })).body;
	await api.post(`/v1/steps/${step.key}/complete`, {
		fencingToken: step.fencingToken,
		result: large,
	});
	const { gateId } = (await openGate('r')).body;
	await decide(gateId);
	const [wakeUp] = await takeDueWakeUps(api.journal, 1);
	await recordWakeUp(api.journal, wakeUp!.waiter, { reply: 'resumed', status: 200 });
	await api.post('/v1/runs/r/settle', { as: 'completed', by: 'ops', result: large });
	expect(await tablesInUse(api.journal.database)).toEqual(
		HOLDS_RUNS.filter((table) => table !== 'timers'),
	);
	api.clock.advance(30 * DAY);
	await prune();
	expect(counts.runsPruned).toBe(0);
	api.clock.advance(1);
	await prune();
	expect(counts.runsPruned).toBe(1);
	expect(await tablesInUse(api.journal.database)).toEqual([]);
	expect(await claim('r')).toMatchObject({ status: 410, body: { code: 'run_pruned' } });
	expect((await openGate('r')).body.code).toBe('run_pruned');
	expect(await isThere('r')).toBe(false);
	for (const path of [`/v1/steps/${step.key}`, `/v1/gates/${gateId}`])
		expect((await api.call('GET', path)).status).toBe(404);
	const chain = (await api.admin('GET', '/v1/audit?runId=r')).body.trim().split('\n');
	expect(JSON.parse(chain.at(-1)).type).toBe('run.pruned');
	expect(JSON.parse(chain[0]).previousHash).toBe(AUDIT_GENESIS);
});

test('0 days is for ever', async () => {
	await completedRun('r');
	api.clock.advance(10_000 * DAY);
	await prune(FOR_EVER);
	expect(await isThere('r')).toBe(true);
});

const wake = async () => {
	const [wakeUp] = await takeDueWakeUps(api.journal, 1);
	await recordWakeUp(api.journal, wakeUp!.waiter, { reply: 'resumed', status: 200 });
};

/** Each begins what keeps the run, lets it grow too old, and returns how that is settled. */
const KEEPS: Array<[string, () => Promise<() => Promise<unknown>>]> = [
	[
		'an open gate',
		async () => {
			const { gateId } = (await openGate('r')).body;
			api.clock.advance(31 * DAY);
			return async () => {
				await decide(gateId);
				await wake();
			};
		},
	],
	[
		'an execution that was not woken yet',
		async () => {
			await decide((await openGate('r')).body.gateId);
			api.clock.advance(31 * DAY);
			return wake;
		},
	],
	[
		'an attempt under way, by a lease that was renewed',
		async () => {
			const { body } = await claim('r', 'long', { leaseMs: 30 * DAY });
			api.clock.advance(29 * DAY);
			const { fencingToken } = body;
			const renewal = { fencingToken, leaseMs: 30 * DAY };
			await api.post(`/v1/steps/${body.key}/renew`, renewal);
			api.clock.advance(2 * DAY);
			return async () => await complete(body);
		},
	],
	[
		'a step in doubt',
		async () => {
			const { body } = await claim('r', 'doubtful');
			await fail(body, 'in_doubt');
			api.clock.advance(31 * DAY);
			const answer = { as: 'failed', by: 'ops', reason: 'looked' };
			return async () => await api.admin('POST', `/v1/steps/${body.key}/resolve`, answer);
		},
	],
	[
		'a step whose lease ran out unnoticed',
		async () => {
			await claim('r', 'silent', { leaseMs: 1_000 });
			api.clock.advance(31 * DAY);
			return async () => {
				await expireLeases(api.journal);
				const { items } = (await api.call('GET', '/v1/steps?state=in_doubt')).body;
				const answer = { as: 'failed', by: 'ops', reason: 'looked' };
				await api.admin('POST', `/v1/steps/${items[0].key}/resolve`, answer);
			};
		},
	],
	[
		'activity of late in an old run',
		async () => {
			api.clock.advance(29 * DAY);
			await complete((await claim('r', 'late')).body);
			api.clock.advance(29 * DAY);
			return async () => {};
		},
	],
];

test.each(KEEPS)('%s keeps a run until that is settled', async (_, begin) => {
	await completedRun('r');
	const settle = await begin();
	await prune();
	expect(await isThere('r')).toBe(true);
	await settle();
	api.clock.advance(31 * DAY);
	await prune();
	expect(await isThere('r')).toBe(false);
});

test('a known failure keeps nothing: dead letters and steps that wait for a retry go too', async () => {
	await fail((await claim('letter', 's', { retry: { maxAttempts: 1 } })).body, 'retryable');
	await fail((await claim('waiting')).body, 'retryable');
	api.clock.advance(31 * DAY);
	await prune();
	expect(counts.runsPruned).toBe(2);
	expect((await api.call('GET', '/v1/dead-letters')).body.items).toEqual([]);
});

test('whoever acts in a run at the last moment keeps it', async () => {
	await completedRun('r');
	api.clock.advance(31 * DAY);
	await prune(RETENTION, async () => {
		await claim('r', 'late');
		return true;
	});
	expect(await isThere('r')).toBe(true);
});

test('a clock that was wrong for a while keeps only what was begun meanwhile', async () => {
	api.clock.advance(3_000 * DAY);
	await completedRun('of the future');
	api.clock.advance(-3_000 * DAY);
	await completedRun('r');
	api.clock.advance(31 * DAY);
	await prune();
	expect([await isThere('r'), await isThere('of%20the%20future')]).toEqual([false, true]);
});

test('several processes prune at the same time: each run goes once', async () => {
	for (let index = 0; index < 20; index++) await completedRun(`r${index}`);
	await completedRun('young');
	api.clock.advance(31 * DAY);
	await claim('young', 'late');
	await Promise.all([prune(), prune(), prune()]);
	expect(counts.runsPruned).toBe(20);
	expect((await api.call('GET', '/v1/runs')).body.items).toHaveLength(1);
	expect(await rowsIn(api.journal.database, 'tombstones')).toBe(20);
});

test('tombstone and audit go later; then the run id is free, and a very late retry would run', async () => {
	await completedRun('r');
	await claim('erased');
	await api.admin('DELETE', '/v1/runs/erased');
	api.clock.advance(31 * DAY);
	await prune();
	api.clock.advance(365 * DAY);
	await prune({ ...RETENTION, auditMs: undefined });
	expect((await claim('r')).body.code).toBe('run_pruned');
	await prune();
	expect(counts.tombstonesRemoved).toBe(1);
	expect((await claim('r')).body.code).toBe('run_pruned');
	api.clock.advance(1);
	await prune();
	expect(counts.tombstonesRemoved).toBe(2);
	expect(await rowsIn(api.journal.database, 'audit_events')).toBe(0);
	expect((await api.admin('GET', '/v1/audit?runId=r')).status).toBe(404);
	expect((await claim('r')).body.outcome).toBe('execute');
});

test('a long audit that is removed in part is still a chain from its beginning', async () => {
	const steps = Array.from({ length: 400 }, (_, index) => ({
		runId: 'r',
		step: `${index}`,
		input: 1,
	}));
	const { results } = (await api.post('/v1/steps/claim-many', { steps })).body;
	await api.post('/v1/steps/complete-many', {
		steps: results.map(({ body }: { body: { key: string; fencingToken: number } }) => ({
			key: body.key,
			fencingToken: body.fencingToken,
		})),
	});
	api.clock.advance(31 * DAY);
	await prune();
	api.clock.advance(366 * DAY);
	let turns = 0;
	await prune(RETENTION, async () => ++turns <= 1);
	const lines = (await api.admin('GET', '/v1/audit?runId=r')).body.trim().split('\n');
	expect(lines).toHaveLength(802 - 500);
	lines.forEach((line: string, index: number) => expect(JSON.parse(line).seq).toBe(index + 1));
	await prune();
	expect(await rowsIn(api.journal.database, 'audit_events')).toBe(0);
});
